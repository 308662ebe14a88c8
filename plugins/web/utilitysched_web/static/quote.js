/* Quotes while one waits. A question is asked as soon as the first figures of the one before are
   there: who drags sees them follow. The server ends what an older question has begun. */
(() => {
  const form = document.querySelector("form[data-stream]"), shown = document.querySelector("#quote");
  const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
  let source = null, open = false, again = false;

  function answered() {
    open = false;
    if (again) ask();
  }

  function ask() {
    again = open;
    if (open || !form.checkValidity()) return;
    open = true;
    source?.close();
    const asked = new URLSearchParams(new FormData(form));
    asked.set("page", page);
    source = new EventSource(`${form.dataset.stream}?${asked}`);
    shown.setAttribute("aria-busy", "true");
    source.onmessage = ({data}) => {
      const {html, samples, last} = JSON.parse(data);
      shown.innerHTML = html;
      shown.dataset.samples = samples;
      if (last) {
        source.close();
        shown.setAttribute("aria-busy", "false");
      }
      answered();
    };
    source.onerror = () => {
      source.close();
      shown.setAttribute("aria-busy", "false");
      answered();
    };
  }

  form.addEventListener("input", ask);
  form.addEventListener("change", ask);
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  ask();
})();
