import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findMailServer, replaceMailServer } from '#server/db/mail/mail-servers.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Email } from '#server/domain/identity/email.ts'
import { line } from '#server/domain/identity/text.ts'
import {
  MAIL_PORTS,
  MailHost,
  MailPassword,
  MailSecurity,
  type MailServer,
  MailUsername,
  placeOfMailPassword,
} from '#server/domain/mail/mail-server.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Instant } from '#server/domain/time.ts'
import type { Vault } from '#server/ports/vault.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { type ShownMailServer, withoutPassword } from './read-mail-server.ts'

export const SetMailServer = z.strictObject({
  host: MailHost,
  port: z.literal(MAIL_PORTS),
  security: MailSecurity,
  /** Null if the server asks for no login. */
  username: MailUsername.nullable(),
  /** Null keeps the password that is there. */
  password: MailPassword.nullable(),
  from: z.strictObject({ name: line(100), address: Email }),
  /** When the server that the page showed was set; null if it showed none. */
  seenAt: Instant.nullable(),
})
export type SetMailServer = z.infer<typeof SetMailServer>

export type SetMailServerOutcome =
  | { kind: 'set' }
  /** It was changed while the page was open; nothing was saved. */
  | { kind: 'stale'; now: ShownMailServer | null }
  /** A password is only for the server and the user for which it was given. */
  | { kind: 'password-needed' }

/**
 * Sets the mail server of the office; the next run of the mail job uses it, in every process. Administrators alone, with a
 * recent proof of identity: who sets it decides where the office's mail goes, and to which host this server connects.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function setMailServer(
  system: System,
  actor: Actor,
  input: SetMailServer,
): Promise<SetMailServerOutcome> {
  const { db, clock, vault } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'mail.manage', own, at)
  const { password, seenAt, ...given } = input
  const { officeId, userId } = person
  return await db.transaction(async (trx): Promise<SetMailServerOutcome> => {
    await beginAdministration(trx, person)
    const before = await findMailServer(trx, officeId)
    if ((before?.changedAt ?? null) !== seenAt)
      return { kind: 'stale', now: before ? withoutPassword(before) : null }
    const server = { ...given, officeId, changedAt: at, changedBy: userId }
    const sealed = sealedFor(server, password, before, vault)
    if (sealed === 'needed') return { kind: 'password-needed' }
    await replaceMailServer(trx, { ...server, sealed })
    await appendEvent(trx, {
      actor,
      at,
      action: 'mail-server.set',
      subject: { kind: 'office', id: officeId },
      details: {
        ...factsOf(server),
        ...(before && renamed(factsOf(before))),
        password: password === null ? 'kept' : 'changed',
      },
    })
    return { kind: 'set' }
  })
}

type Unsealed = Omit<MailServer, 'sealed'>

function sealedFor(
  server: Unsealed,
  password: string | null,
  before: MailServer | undefined,
  vault: Vault,
): MailServer['sealed'] | 'needed' {
  if (server.username === null) return null
  const place = placeOfMailPassword(server)
  if (password !== null) return vault.seal(new TextEncoder().encode(password), place)
  return before?.sealed && placeOfMailPassword(before) === place ? before.sealed : 'needed'
}

const factsOf = ({ host, port, security, username, from }: Unsealed) => ({
  ...{ host, port, security, username },
  from: `${from.name} <${from.address}>`,
})

const renamed = (facts: ReturnType<typeof factsOf>) =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [`${name}Before`, value]))
