// Goes on to the shop's own page, out of a frame too, and leaves no step in the history to come back to.
(() => {
  const link = document.querySelector("[data-back]");
  if (link) window.top.location.replace(link.href);
})();
