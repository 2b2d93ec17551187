// Tells the shop's page around the frame that the gateway is done, keeps a double click from
// posting twice, and says how tall the page is.
(() => {
  const tell = (message) => {
    if (window.parent !== window) window.parent.postMessage(message, window.location.origin);
  };
  const done = document.querySelector("[data-payment]");
  if (done) tell({ type: "layby:payment", payment: done.dataset.payment });
  const size = () => tell({ type: "layby:height", height: document.body.scrollHeight });
  new ResizeObserver(size).observe(document.body);
  document.querySelector(".summary a")?.focus();
  for (const form of document.forms) {
    let sent = false;
    form.addEventListener("submit", (event) => {
      if (sent) event.preventDefault();
      sent = true;
    });
  }
})();
