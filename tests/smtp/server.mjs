// A mail server for the tests. Its only argument says what it is like, as JSON:
//
//   tls       "starttls", "tls" or "none"
//   cert, key files of its certificate
//   login     {username, password}, when it asks for one
//   size      the most bytes of a letter, which the server names
//   trickle   true: it never finishes its first line, a byte at a time
//
// What becomes of a letter is up to the name in front of the @ it goes to (see below). On
// standard output it says where it listens and then what it hears, a JSON object a line. It
// ends with its standard input.
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { SMTPServer } from 'smtp-server'

const options = JSON.parse(process.argv[2])
const say = (heard) => process.stdout.write(`${JSON.stringify(heard)}\n`)
const answer = (responseCode, text) => Object.assign(new Error(text), { responseCode })
const local = (address) => address.address.split('@')[0]

const server = options.trickle ? trickling() : mailServer()
server.listen(0, '127.0.0.1', function () {
  say({ port: (this.server ?? this).address().port })
})
process.stdin.on('end', () => process.exit()).resume()

function mailServer() {
  const server = new SMTPServer({
    secure: options.tls === 'tls',
    disabledCommands: options.tls === 'starttls' ? [] : ['STARTTLS'],
    key: options.key && readFileSync(options.key),
    cert: options.cert && readFileSync(options.cert),
    authOptional: !options.login,
    allowInsecureAuth: true,
    logger: false,
    size: options.size,

    onAuth({ username, password }, _session, done) {
      say({ login: username })
      const known = username === options.login?.username && password === options.login.password
      done(known ? null : answer(535, '5.7.8 Nobody of that name and password'), { user: username })
    },

    onMailFrom(address, _session, done) {
      say({ sender: address.address })
      done()
    },

    onRcptTo(address, _session, done) {
      const verdicts = {
        unknown: answer(550, `5.1.1 <${address.address}>: there is nobody of that name`),
        greylisted: answer(451, `4.7.1 <${address.address}>: come back later`),
        stranger: answer(530, '5.7.0 Authentication required'),
        relay: answer(550, '5.7.1 Relaying denied'),
        overfull: answer(552, '5.2.2 The mailbox is full'),
        terse: answer(550, 'No'),
        sender: answer(550, '5.1.8 Sender address rejected: domain not found'),
        moved: answer(551, `5.1.6 <${address.address}> has moved`),
      }
      // The slow one never gets an answer.
      if (local(address) !== 'slow') done(verdicts[local(address)])
    },

    onData(stream, session, done) {
      const [to] = session.envelope.rcptTo
      const chunks = []
      stream.on('data', (chunk) => {
        chunks.push(chunk)
        if (local(to) === 'cutoff') for (const open of server.connections) open._socket.destroy()
      })
      stream.on('error', () => {})
      stream.on('end', () => {
        const verdicts = {
          full: answer(452, '4.2.2 The mailbox is full'),
          fussy: answer(554, `5.7.1 Not for ${to.address}: this looks like spam`),
          gone: answer(550, `5.1.1 <${to.address}>: there is nobody of that name`),
        }
        const isTooLarge = options.size && stream.sizeExceeded
        const hasFiles = chunks.some((chunk) => chunk.includes('multipart/mixed'))
        if (local(to) === 'nofiles' && hasFiles) verdicts.nofiles = answer(554, '5.7.1 No files')
        const verdict = isTooLarge ? answer(552, '5.3.4 Too large') : verdicts[local(to)]
        if (!verdict) {
          say({
            letter: Buffer.concat(chunks).toString('utf8'),
            from: session.envelope.mailFrom.address,
            to: session.envelope.rcptTo.map((address) => address.address),
            encrypted: session.secure,
            user: session.user ?? null,
            greeting: session.hostNameAppearsAs,
          })
        }
        done(verdict)
      })
    },
  })
  // A client that goes away is a test's own doing.
  server.on('error', () => {})
  return server
}

function trickling() {
  return net.createServer((socket) => {
    const timer = setInterval(() => socket.write('2'), 50)
    socket.on('error', () => {}).on('close', () => clearInterval(timer))
  })
}
