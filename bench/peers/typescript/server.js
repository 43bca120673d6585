// A peer of the bench: the TypeScript SDK's server, stateless, with one tool. It asks nobody who they are.
//   node server.js PORT
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

function server() {
  const server = new McpServer({ name: "peer", version: "1" });
  const description = { description: "Says what it is told.", inputSchema: { text: z.string() } };
  server.registerTool("echo", description, async ({ text }) => ({ content: [{ type: "text", text }] }));
  return server;
}

// Without sessions each request has a server and a transport of its own: the SDK allows no other way.
async function answer(request, response) {
  if (request.url === "/readyz") return response.end("ready\n");
  const mcp = server();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on("close", () => mcp.close());
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
}

createServer(answer).listen(Number(process.argv[2]), "127.0.0.1");
