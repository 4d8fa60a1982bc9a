import { lookup } from 'node:dns/promises'
import { Readable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import { createTransport } from 'nodemailer'
import { DatabaseUnreachable } from '#server/domain/installation/database-unreachable.ts'
import type { OutgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { seconds } from '#server/domain/time.ts'
import type { Delivery, Mailer, Mailers, OutgoingMail } from '#server/ports/mailer.ts'
import { unlessLate } from './unless-late.ts'

export type SmtpServer = {
  host: string
  port: number
  /** `tls` from the first byte; `starttls` or nothing is sent; `none` in clear text. */
  security: 'tls' | 'starttls' | 'none'
  credentials?: { user: string; password: string }
  from: { name: string; address: string }
  /** Of another authority than those that Node trusts. */
  tls?: Pick<ConnectionOptions, 'ca' | 'servername'>
}

/** A whole attempt, and each step of it. Far below the lease of a mail. */
const ATTEMPT_LIMIT = seconds(60)
const STEP_LIMIT = seconds(15)

/** Speaks SMTP with one server, a connection for each mail. @see RFC 5321 */
export function createMailer(server: SmtpServer): Mailer {
  const transport = transportTo(server)
  return mailerBy(async () => transport, server.from)
}

/**
 * Mailers for servers that administrators set. A name is looked up for each connection, which goes to an address that was
 * checked: a name may lead elsewhere each time.
 *
 * @param options.tls of another authority than those that Node trusts
 */
export function createMailers({
  networks,
  tls,
}: {
  networks: OutgoingNetworks
  tls?: SmtpServer['tls']
}): Mailers {
  return {
    through(server) {
      const open = async () =>
        transportTo({
          ...server,
          host: await addressWithin(networks, server.host),
          tls: { servername: server.host, ...tls },
        })
      return mailerBy(open, server.from)
    },
  }
}

/** An address of the host to which this process may connect. @throws {Error} `EDNS` without one */
async function addressWithin(networks: OutgoingNetworks, host: string): Promise<string> {
  const looking = lookup(host, { all: true }).catch(() => [])
  const found = (await unlessLate(looking, AbortSignal.timeout(STEP_LIMIT))) ?? []
  const allowed = found.find(({ address }) => networks(address, host))
  if (allowed) return allowed.address
  throw Object.assign(new Error(found.length === 0 ? NOWHERE : ELSEWHERE), { code: 'EDNS' })
}

const NOWHERE = 'the name of the server leads nowhere'
const ELSEWHERE = 'an address in a network that no service may be in'

function transportTo({ host, port, security, credentials, tls }: SmtpServer) {
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    tls: { minVersion: 'TLSv1.2', ...tls },
    connectionTimeout: STEP_LIMIT,
    greetingTimeout: STEP_LIMIT,
    dnsTimeout: STEP_LIMIT,
    socketTimeout: STEP_LIMIT,
    // What is attached is handed over as bytes: nothing that a mail says is ever opened.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

type Transport = ReturnType<typeof transportTo>

function mailerBy(open: () => Promise<Transport>, from: SmtpServer['from']): Mailer {
  const domain = from.address.split('@').at(-1)
  return {
    async send(mail) {
      const attachments = mail.attachments.map(attached)
      try {
        const transport = await open()
        await transport.sendMail({
          from,
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          attachments,
          messageId: `<${mail.id}@${domain}>`,
          date: new Date(mail.at),
          // No machine answers a machine. @see RFC 3834, 5
          headers: { 'Auto-Submitted': 'auto-generated' },
          xMailer: false,
          signal: AbortSignal.timeout(ATTEMPT_LIMIT),
        })
        return { kind: 'accepted' }
      } catch (error) {
        return deliveryOf(error)
      } finally {
        for (const { content } of attachments) content.destroy()
      }
    },
    async reach() {
      try {
        await (await open()).verify()
        return { kind: 'reached' }
      } catch (error) {
        return { kind: 'unreachable', answer: answerOf(mustBeOfServer(error)) }
      }
    },
  }
}

function attached({ name, content: stream }: OutgoingMail['attachments'][number]) {
  const content = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0])
  // A stream that ends halfway needs no report: the mail is retried.
  content.on('error', () => undefined)
  return { filename: name, contentType: 'application/pdf', content }
}

/** What is about this very mail: the other codes are about the server, and any mail would meet them. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE'])

function deliveryOf(error: unknown): Delivery {
  const failure = mustBeOfServer(error)
  const { code, command, responseCode } = failure
  const answer = answerOf(failure)
  if (!ABOUT_THE_MAIL.has(code) || responseCode === 421 || responseCode === undefined)
    return { kind: 'unreachable', answer }
  // Of a sender who is refused the settings are wrong, not the mail: it is kept until they are mended.
  const isForGood = responseCode >= 500 && command !== 'MAIL FROM'
  return { kind: isForGood ? 'refused' : 'delayed', answer }
}

/** Attachments are read while they are sent; nodemailer gives their errors a code, too. */
const isOfDatabase = (error: Error) =>
  error instanceof DatabaseUnreachable || error.cause instanceof DatabaseUnreachable

/** An error without a code is one of ours. */
function mustBeOfServer(error: unknown): SmtpError {
  if (!(error instanceof Error) || !('code' in error) || isOfDatabase(error)) throw error
  return error as SmtpError
}

const answerOf = ({ response, message }: SmtpError) => shownText(response ?? message, 300)

type SmtpError = Error & {
  code: string
  command?: string
  response?: string
  responseCode?: number
}
