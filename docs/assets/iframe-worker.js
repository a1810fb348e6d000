// Browsers refuse workers on pages that were opened as files. Search needs one, so there it runs in
// a hidden frame instead. What it has of a worker: messages to and fro, and importScripts.
"use strict";
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = frame.contentWindow;
      const load = (path) =>
        new Promise((done, failed) => {
          const script = inside.document.createElement("script");
          Object.assign(script, { src: path, onload: done, onerror: failed });
          inside.document.body.append(script);
        });
      inside.importScripts = (...paths) =>
        paths.reduce((before, path) => before.then(() => load(path)), Promise.resolve());
      // What the script posts goes to whoever listens to this worker.
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inside = inside;
      this.ready = load(url);
    }
    postMessage(data) {
      this.ready.then(() =>
        this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })),
      );
    }
    terminate() {
      this.inside.frameElement.remove();
    }
  };
}
