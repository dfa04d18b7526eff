// A screenshot has a few flat colours and the shades between them: 256 show it, at a third of the bytes.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const colours = 256

/** Of a PNG with 8 bits a channel, as Chromium writes it. */
export function smallerPng(png) {
  const { width, height, channels, data } = read(png)
  const pixels = unfilter(inflateSync(data), { height, channels, stride: width * channels })
  const counts = new Map()
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = colourAt(pixels, at)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const palette = chosen(counts)
  const place = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]))
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = place.get(colourAt(pixels, (y * width + x) * channels))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The most frequent ones, then whatever is worst off with those: a rare hue is not lost among greys. */
function chosen(counts) {
  const all = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour)
  const palette = all.slice(0, colours / 2)
  const off = all.map((colour) => distance(colour, palette[nearest(palette, colour)]))
  while (palette.length < Math.min(colours, all.length)) {
    const next = all[off.indexOf(off.reduce((most, each) => Math.max(most, each)))]
    palette.push(next)
    for (const [index, colour] of all.entries())
      off[index] = Math.min(off[index], distance(colour, next))
  }
  return palette
}

function read(png) {
  const parts = []
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const channels = png[25] === 6 ? 4 : 3
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    channels,
    data: Buffer.concat(parts),
  }
}

function unfilter(raw, { height, channels, stride }) {
  const out = Buffer.alloc(height * stride)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x
      const left = x < channels ? 0 : out[at - channels]
      const up = y === 0 ? 0 : out[at - stride]
      const corner = x < channels || y === 0 ? 0 : out[at - stride - channels]
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]
      out[at] = raw[y * (stride + 1) + 1 + x] + guess
    }
  }
  return out
}

function paeth(left, up, corner) {
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value))
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

const colourAt = (pixels, at) => (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]
const channelsOf = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]

function distance(one, other) {
  const [r, g, b] = channelsOf(one)
  return (r - (other >> 16)) ** 2 + (g - ((other >> 8) & 255)) ** 2 + (b - (other & 255)) ** 2
}

function nearest(palette, colour) {
  let best = 0
  for (const [index, known] of palette.entries())
    if (distance(colour, known) < distance(colour, palette[best])) best = index
  return best
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  out.set(body, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
