// For a server that starts on another day: every clock of the process is a day ahead.
const day = 86_400_000
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + day)
    else super(...args)
  }
  static now() {
    return RealDate.now() + day
  }
}
