import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

export type SmtpOptions = {
  /** A free port if absent. */
  port?: number
  tls?: { kind: 'tls' | 'starttls'; certificate: string; key: string }
  /** Credentials; no other client may send. */
  credentials?: { user: string; password: string }
}

export type Received = {
  from: string
  to: string[]
  /** The whole message as it came, a character a byte. */
  raw: string
  isEncrypted: boolean
  user: string | null
}

export type SmtpProcess = {
  readonly port: number
  /** All mail that was accepted before this call, since the last `forget`. */
  received(): Promise<readonly Received[]>
  forget(): void
  stop(): Promise<void>
}

/** Starts a mail server in its own process on this machine; see `smtp-program.ts` for its refusals. */
export async function startSmtpServer(options: SmtpOptions = {}): Promise<SmtpProcess> {
  const program = path.join(import.meta.dirname, 'smtp-program.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const received: Received[] = []
  const asked: (() => void)[] = []
  const port = await new Promise<number>((resolve, reject) => {
    void gone.then(() => reject(new Error('the server for mail did not start')))
    createInterface(child.stdout).on('line', (line) => {
      const message = JSON.parse(line)
      if (message.port) resolve(message.port)
      if (message.received) received.push(message.received)
      if (message.asked) asked.shift()?.()
    })
  })
  return {
    port,
    async received() {
      // A sender may have its answer before we read the line about the mail: this line comes after that one.
      const answered = new Promise<void>((resolve) => asked.push(resolve))
      child.stdin.write('\n')
      await Promise.race([answered, gone])
      return [...received]
    },
    forget() {
      received.length = 0
    },
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
