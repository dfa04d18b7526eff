// For a server that dies in the middle of something: with the first bytes that say TANDEM_TEST_DIE, before or after they leave.
import net from 'node:net'

const [when, words] = (process.env.TANDEM_TEST_DIE ?? ':').split(':')
const { write } = net.Socket.prototype

const die = () => process.kill(process.pid, 'SIGKILL')

net.Socket.prototype.write = function (bytes, ...rest) {
  const isIt = Buffer.isBuffer(bytes) || bytes instanceof Uint8Array
  if (!isIt || !Buffer.from(bytes).includes(words)) return write.call(this, bytes, ...rest)
  if (when === 'before') die()
  return write.call(this, bytes, die)
}
