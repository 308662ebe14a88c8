"use strict";
// What the theme leaves without a name of its own, or out of reach of keys.
const names = new Map();

function name(nav) {
  const label = document.getElementById(nav.getAttribute("aria-labelledby"));
  const own = nav.ariaLabel ?? label?.textContent.trim() ?? "Code";
  const times = (names.get(own) ?? 0) + 1;
  names.set(own, times);
  nav.removeAttribute("aria-labelledby");
  nav.ariaLabel = times > 1 ? `${own} (${times})` : own;
  nav.dataset.named = "";
}

function mend() {
  const all = (selector) => document.querySelectorAll(selector);
  for (const search of all(".md-search:not([aria-label])")) search.ariaLabel = "Search";
  for (const nav of all("nav:not([data-named])")) name(nav);
  for (const wide of all(".md-typeset__scrollwrap:not([tabindex]), pre > code:not([tabindex])")) wide.tabIndex = 0;
  for (const empty of all("thead th:empty")) empty.replaceWith(document.createElement("td"));
}

new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();
