/* Quotes while one waits. A question is asked once who types or drags has rested for so long (ms):
   the server counts each, and ends what an older one has begun. */
(() => {
  const REST = 700;
  const form = document.querySelector("form[data-stream]"), shown = document.querySelector("#quote");
  const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
  let source = null, resting = 0;

  function ask() {
    clearTimeout(resting);
    if (!form.checkValidity()) return;
    source?.close();
    const asked = new URLSearchParams(new FormData(form));
    asked.set("page", page);
    source = new EventSource(`${form.dataset.stream}?${asked}`);
    shown.setAttribute("aria-busy", "true");
    source.onmessage = ({data}) => {
      const {html, samples, last} = JSON.parse(data);
      shown.innerHTML = html;
      drawCharts(shown);
      shown.dataset.samples = samples;
      if (last) {
        source.close();
        shown.setAttribute("aria-busy", "false");
      }
    };
    source.onerror = () => {
      source.close();
      shown.setAttribute("aria-busy", "false");
    };
  }

  function rest() {
    clearTimeout(resting);
    resting = setTimeout(ask, REST);
  }

  form.querySelector("[data-curves]")?.addEventListener("change", ({target}) => {
    if (target.value) form.querySelector("curve-editor").value = target.value;
  });
  form.addEventListener("input", rest);
  form.addEventListener("change", rest);
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  ask();
})();
