// What a page can't do without a script: read a one-time key behind `#`, which browsers send to no server, and copy.
"use strict";

for (const form of document.querySelectorAll("form[data-secret]")) {
  const field = form.elements.namedItem("secret");
  if (location.hash.length > 1) {
    field.value = location.hash.slice(1);
    // So that it is not left in the bar and the history.
    history.replaceState(null, "", location.pathname);
  }
}

for (const text of document.querySelectorAll("[data-copyable]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain small copy";
  button.textContent = document.body.dataset.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = document.body.dataset.copied;
    setTimeout(() => { button.textContent = document.body.dataset.copy; }, 2000);
  });
  text.after(button);
}

// A part of a page that goes on by itself is asked for again, as long as something in it does.
for (const part of document.querySelectorAll("[data-live]")) {
  const look = async () => {
    if (!part.querySelector("[data-going]")) return;
    const answer = await fetch(part.dataset.live).catch(() => null);
    if (answer?.ok && !answer.redirected) {
      const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
      part.innerHTML = await answer.text();
      if (focused) document.getElementById(focused)?.focus();
    }
    setTimeout(look, 1000);
  };
  setTimeout(look, 1000);
}

// What is shown once may be kept on paper.
for (const button of document.querySelectorAll("button[data-print]")) {
  button.addEventListener("click", () => window.print());
  button.hidden = false;
}
