// The page: takes a log, hands it to the worker, shows what comes back. Nothing is sent anywhere.
const $ = (id) => document.getElementById(id);
let worker = null;
let answer = null; // what may be shared

function started() {
  if (worker) return worker;
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data }) => received(data);
  worker.onerror = (event) => failed(event.message || "the worker could not be started");
  return worker;
}

function received(message) {
  if (message.kind === "progress") return progress(message.what, message.part);
  if (message.kind === "error") return failed(message.text);
  if (message.kind === "shared") return offered(message);
  offered(null);
  $("page").srcdoc = message.page;
  $("answer").hidden = false;
  ended(`${message.title} (${message.seconds.toFixed(1)} s)`);
}

function offered(texts) {
  answer = texts;
  $("copy").disabled = $("save").disabled = !texts;
}

function progress(what, part) {
  $("status").textContent = what;
  $("progress").hidden = false;
  if (part === null) $("progress").removeAttribute("value");
  else $("progress").value = part;
}

function ended(text) {
  $("status").textContent = text;
  $("progress").hidden = true;
  $("stop").hidden = true;
  $("explain").disabled = false;
}

function failed(text) {
  ended(text);
}

async function explain(files) {
  $("explain").disabled = true;
  const logs = [];
  for (const file of files) logs.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  if (!logs.length && $("log").value.trim()) logs.push({ name: "pasted.log", bytes: new TextEncoder().encode($("log").value) });
  if (!logs.length) return failed("Paste a log or choose a file first.");
  $("stop").hidden = false;
  $("answer").hidden = true;
  progress("Starting", null);
  started().postMessage(logs);
}

$("form").addEventListener("submit", (event) => { event.preventDefault(); explain([...$("file").files]); });
$("file").addEventListener("change", () => explain([...$("file").files]));
$("stop").addEventListener("click", () => { worker.terminate(); worker = null; ended("Stopped."); });
$("drop").addEventListener("dragover", (event) => { event.preventDefault(); $("drop").classList.add("over"); });
$("drop").addEventListener("dragleave", () => $("drop").classList.remove("over"));
$("drop").addEventListener("drop", (event) => {
  event.preventDefault();
  $("drop").classList.remove("over");
  if (event.dataTransfer.files.length) explain([...event.dataTransfer.files]);
  else $("log").value = event.dataTransfer.getData("text");
});
$("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(answer.markdown);
  $("status").textContent = "Copied, without secrets.";
});
$("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([answer.shared], { type: "text/html" }));
  link.download = "neurontriage.html";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js");
