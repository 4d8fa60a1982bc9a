import { findMailServer, listMailServers } from '#server/db/mail/mail-servers.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { type MailServer, placeOfMailPassword } from '#server/domain/mail/mail-server.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import type { System } from '#server/system.ts'
import { sentenceOfUnsent } from '#server/words/mail/unsent.ts'

type Mailing = Pick<System, 'db' | 'vault' | 'mailer' | 'mailers'>

/** The mailer of an office: the operator's, which is for all offices, or that of its own server; null without one. */
export async function findMailer(system: Mailing, officeId: OfficeId): Promise<Mailer | null> {
  if (system.mailer) return system.mailer
  const server = await findMailServer(system.db, officeId)
  return server ? mailerOf(system, server) : null
}

/** Whether mail of the office is sent, and does not wait in the outbox for someone to pass it on. */
export async function hasMailer(
  { db, mailer }: Pick<System, 'db' | 'mailer'>,
  officeId: OfficeId,
): Promise<boolean> {
  return mailer !== null || (await findMailServer(db, officeId)) !== undefined
}

/** A mailer, and whose mail it sends: `everyone` for that of the operator. */
export type MailRoute = { mailer: Mailer; officeId: OfficeId | 'everyone' }

/** The mailers of the installation. Read at each run: a server that was set counts at once, in every process. */
export async function listMailRoutes(system: Mailing): Promise<MailRoute[]> {
  if (system.mailer) return [{ mailer: system.mailer, officeId: 'everyone' }]
  const servers = await listMailServers(system.db)
  return servers.map((server) => ({
    mailer: mailerOf(system, server),
    officeId: server.officeId,
  }))
}

function mailerOf({ vault, mailers }: Mailing, server: MailServer): Mailer {
  const { host, port, security, username, sealed, from } = server
  try {
    const password = sealed && vault.open(sealed, placeOfMailPassword(server))
    return mailers.through({
      ...{ host, port, security, from },
      ...(username !== null &&
        password && {
          credentials: { user: username, password: new TextDecoder().decode(password) },
        }),
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // Of all mail it holds that it cannot be sent now: none of it has failed.
    const unreachable = { kind: 'unreachable', answer: sentenceOfUnsent(error.code) } as const
    return { send: async () => unreachable, reach: async () => unreachable }
  }
}
