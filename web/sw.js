// The site without a network: a service worker that keeps all pages and what
// they share, one version at a time. The build puts kept before it, which has
// every path of the site and the hash of what is there, or "" where the name
// holds it already.
//
// A page that is kept is answered from what is kept, so a reader never gets
// pages of two versions. A new version is fetched beside the old one, waits, and
// takes its place when a reader says so (offline.js asks). Files that have not
// changed are not fetched again. Caches of others are left alone.
const scope = new URL(self.registration.scope);
const name = "ticketrail " + scope.pathname;
const keyOf = (path) => new URL(kept[path] ? `${path}?${kept[path]}` : path, scope).href;

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("message", (event) => { if (event.data === "use") self.skipWaiting(); });
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = request.method === "GET" ? pathOf(request.url) : undefined;
  if (path === undefined) return;
  if (Object.hasOwn(kept, path)) event.respondWith(answer(path, request));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => without(path, request)));
});

async function keep() {
  const cache = await caches.open(name);
  const there = new Set((await cache.keys()).map((request) => request.url));
  await Promise.all(Object.keys(kept).filter((path) => !there.has(keyOf(path))).map(async (path) => {
    const response = await fetch(new URL(path, scope), { cache: kept[path] ? "no-cache" : "default" });
    if (!response.ok) throw new Error(`${path}: the server answered ${response.status}`);
    await cache.put(keyOf(path), direct(response));
  }));
}

// direct is a response that no longer says that it was redirected: a browser
// refuses such a one as the answer to a navigation.
function direct(response) {
  const { status, headers } = response;
  return response.redirected ? new Response(response.body, { status, headers }) : response;
}

async function forget() {
  const cache = await caches.open(name);
  const wanted = new Set(Object.keys(kept).map(keyOf));
  await Promise.all((await cache.keys()).filter((request) => !wanted.has(request.url)).map((request) => cache.delete(request)));
}

// pathOf is where an address is in the site, undefined when it is not.
function pathOf(address) {
  const url = new URL(address);
  if (url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return undefined;
  return url.pathname.slice(scope.pathname.length).replace(/(^|\/)index\.html$/, "$1");
}

async function answer(path, request) {
  const cache = await caches.open(name);
  return (await cache.match(keyOf(path), { ignoreVary: true })) ?? fetch(request);
}

// without answers a navigation to what is not kept while there is no network.
async function without(path, request) {
  if (Object.hasOwn(kept, path + "/")) return Response.redirect(new URL(path + "/" + new URL(request.url).search, scope));
  const style = Object.keys(kept).find((file) => file.startsWith("style."));
  return new Response(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Not kept</title>
<meta name="color-scheme" content="light dark"><link rel="stylesheet" href="${new URL(style, scope).pathname}"></head>
<body><main class="plain"><h1>This page needs the network</h1><p>There is none now, and this page is not among those that are kept. <a href="${new URL("lessons/", scope).pathname}">All lessons</a> are.</p></main></body></html>`,
  { status: 503, headers: { "content-type": "text/html; charset=utf-8" } });
}
