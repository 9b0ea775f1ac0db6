// Pictures of the stage, and how much two of them differ.
//
// The site uses the fonts of the system, whose letters are others on every
// machine; so all text is hidden in a picture, also that in the tickets. Where
// text stands, and that none of it lies over another, is held by the tests of
// wasm/scene, which measure it without a browser. What remains is drawn by the
// browser itself, alike everywhere but for the edges of slanted lines: those
// are what `near` and `tolerance` let pass.
import { Buffer } from "node:buffer";

// tolerance is the share of pixels that may differ. A ticket that is moved by
// its own quarter, or has lost the colour of its band, is more.
export const tolerance = 0.001;

// near is how far a channel of a pixel may lie off, of 255.
const near = 48;

// picture returns the stage of the page as a PNG. Nothing that belongs to a
// moment is in it: no focus, no pointer.
export async function picture(page) {
  // The page's policy refuses styles in line, also those with which a browser's
  // driver hides the caret; a sheet that is made is allowed.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("svg text, #ring, .dock { visibility: hidden !important }");
    document.adoptedStyleSheets = [sheet];
  });
  return page.locator("#stage > svg:visible").screenshot({ caret: "initial" });
}

// difference returns the share of pixels in which two PNGs differ, 1 when they
// are not of one size. The browser reads them.
export function difference(page, a, b) {
  const texts = [a, b].map((png) => Buffer.from(png).toString("base64"));
  return page.evaluate(async ({ texts, near }) => {
    const pixels = async (text) => { // without an address, which the page's policy would refuse
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: "image/png" }));
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [one, other] = [await pixels(texts[0]), await pixels(texts[1])];
    if (one.width !== other.width || one.height !== other.height) return 1;
    let off = 0;
    for (let i = 0; i < one.data.length; i += 4) {
      if ([0, 1, 2].some((channel) => Math.abs(one.data[i + channel] - other.data[i + channel]) > near)) off++;
    }
    return off / (one.width * one.height);
  }, { texts, near });
}
