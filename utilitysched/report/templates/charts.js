"use strict";
// Charts of a page: those near the view are drawn first, the others when there is time, so that all
// are there when the page is printed. A chart that is folded away is drawn once it can be seen.
const CHARTS = {
  renderer: "svg", actions: false, ast: true, defaultStyle: false,
  tooltip: {disableDefaultStyle: true},
};

// Promise of the view that a figure shows.
function chartIn(figure) {
  const read = () => JSON.parse(figure.querySelector("script").textContent);
  figure.drawing ??= vegaEmbed(figure.querySelector("div"), read(), CHARTS).then((made) => made.view);
  return figure.drawing;
}

function drawCharts(root) {
  const near = new IntersectionObserver((seen) => {
    for (const {isIntersecting, target} of seen) if (isIntersecting) chartIn(target);
  }, {rootMargin: "400px"});
  const figures = [...root.querySelectorAll("figure.chart")];
  for (const figure of figures) near.observe(figure);
  const seen = () => figures.filter((figure) => figure.offsetWidth);
  const all = () => Promise.all(seen().map(chartIn));
  window.addEventListener("beforeprint", all);
  (window.requestIdleCallback ?? setTimeout)(async () => {
    for (const figure of seen()) await chartIn(figure);
    document.documentElement.dataset.charts = "drawn";
  });
}

drawCharts(document);
