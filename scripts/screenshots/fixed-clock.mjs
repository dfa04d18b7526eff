// Preloaded into the server: its clock starts at the same moment in every run, and goes on from there.
const begin = Date.parse(process.env.TANDEM_SHOTS_CLOCK ?? '')
const started = performance.now()
// Not for the shells, and what runs in them.
delete process.env.NODE_OPTIONS
delete process.env.TANDEM_SHOTS_CLOCK
const now = () => Math.floor(begin + performance.now() - started)

globalThis.Date = class extends Date {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args))
  }

  static now() {
    return now()
  }
}
