// Loaded before the suite, which has no option for a token: adds "Authorization: Bearer $MCP_BEARER" to every request
// to $MCP_BEARER_ORIGIN, whether it goes through fetch or node:http.
import http from 'node:http';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';

const { MCP_BEARER: token, MCP_BEARER_ORIGIN: origin } = process.env;

if (token && origin) {
  const { hostname, port } = new URL(origin);
  const authorization = `Bearer ${token}`;

  const withToken = (headers) => {
    if (Array.isArray(headers)) return [...headers, 'authorization', authorization];
    if (typeof headers?.[Symbol.iterator] === 'function') return [...[...headers].flat(), 'authorization', authorization];
    return { ...headers, authorization };
  };

  setGlobalDispatcher(getGlobalDispatcher().compose((dispatch) => (options, handler) =>
    dispatch(String(options.origin) === origin ? { ...options, headers: withToken(options.headers) } : options, handler)));

  const request = http.request;
  http.request = function (first, ...rest) {
    const options = typeof first === 'object' && !(first instanceof URL) ? first : rest[0];
    if (options?.hostname === hostname && String(options.port) === port) {
      options.headers = { ...options.headers, authorization };
    }
    return request.call(this, first, ...rest);
  };
}
