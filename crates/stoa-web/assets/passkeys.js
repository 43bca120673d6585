// Passkeys: the browser's half of a ceremony, between the two that are the server's. A form with `data-passkey` is
// one: `create` or `get`. It is hidden where a browser can't do it.
"use strict";

const passkeys = globalThis.PublicKeyCredential;
const ceremonies = {
  create: (publicKey) => navigator.credentials.create({ publicKey: passkeys.parseCreationOptionsFromJSON(publicKey) }),
  get: (publicKey) => navigator.credentials.get({ publicKey: passkeys.parseRequestOptionsFromJSON(publicKey) }),
};

/** What the server said to a person. */
class Refused extends Error {}

async function send(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  // Signed out meanwhile: the server led on to where people sign in.
  const answer = response.redirected ? { next: response.url } : await response.json();
  if (answer.problem) throw new Refused(answer.problem);
  return answer;
}

/** Where the person goes on, once all is done. */
async function perform({ dataset, elements }) {
  const typed = document.getElementById(dataset.email);
  const said = { email: typed?.value ?? "" };
  for (const { name, value } of elements) if (name) said[name] = value;
  const begun = await send(dataset.begin, said);
  if (begun.next) return begun.next;
  const credential = await ceremonies[dataset.passkey](begun.publicKey);
  return (await send(dataset.finish, { ...said, credential: credential.toJSON() })).next;
}

function words(error, { canceled, known, failed }) {
  if (error instanceof Refused) return error.message;
  return { NotAllowedError: canceled, AbortError: canceled, InvalidStateError: known }[error.name] ?? failed;
}

function prepare(form) {
  const button = form.querySelector("button");
  const alert = form.querySelector("[role=alert]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    alert.hidden = true;
    button.disabled = true;
    try {
      location.assign(await perform(form));
    } catch (error) {
      alert.textContent = words(error, form.dataset);
      alert.hidden = false;
      button.disabled = false;
    }
  });
}

if (passkeys?.parseCreationOptionsFromJSON && passkeys.parseRequestOptionsFromJSON) {
  document.querySelectorAll("form[data-passkey]").forEach(prepare);
  for (const hidden of document.querySelectorAll("[data-passkey]")) hidden.hidden = false;
  for (const shown of document.querySelectorAll("[data-no-passkey]")) shown.hidden = true;
}
