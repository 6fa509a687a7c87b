// Runs the same Python as the command line, in WebAssembly, away from the page's own thread.
import { loadPyodide } from "./pyodide/pyodide.mjs";

let ready = null;

// Pyodide asks for its WebAssembly as it is; it lies here compressed, whatever the server does.
const asked = globalThis.fetch;
globalThis.fetch = async (what, how) => {
  const url = String(what.url ?? what);
  if (!url.endsWith(".asm.wasm")) return asked(what, how);
  const packed = await asked(`${url}.gz`);
  if (!packed.ok) return packed;
  const plain = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain, { headers: { "Content-Type": "application/wasm" } });
};

async function start() {
  postMessage({ kind: "progress", what: "Loading Python", part: null });
  const [python, packed] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    fetch("neurontriage.zip").then((response) => response.arrayBuffer()),
  ]);
  postMessage({ kind: "progress", what: "Loading what is known", part: null });
  python.unpackArchive(packed, "zip", { extractDir: "/app" });
  python.runPython("import sys; sys.path.insert(0, '/app'); import browser");
  return python.pyimport("browser");
}

onmessage = async ({ data }) => {
  try {
    ready ??= start();
    const browser = await ready;
    const began = performance.now();
    const told = (what, part) => postMessage({ kind: "progress", what, part: part ?? null });
    const { diagnosis, ...found } = browser.explained(data, told);
    postMessage({ kind: "answer", ...found, seconds: (performance.now() - began) / 1000 });
    postMessage({ kind: "shared", ...browser.shared(diagnosis) });
    diagnosis.destroy();
  } catch (error) {
    const text = String(error.message || error).trim();
    const refused = text.match(/TriageError: error: ([^]*)$/);
    postMessage({ kind: "error", text: refused ? refused[1] : text.split("\n").pop() });
  }
};
