// Keeps the page for when there is no network. The name of the store is the digest of the files.
const STORE = "neurontriage-{{ digest }}";
const FILES = {{ files }};

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const others = (names) => Promise.all(names.filter((name) => name !== STORE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(others).then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept || fetch(event.request)));
});
