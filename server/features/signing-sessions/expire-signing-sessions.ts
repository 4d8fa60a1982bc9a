import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import { findUser } from '#server/db/people/users.ts'
import {
  listOverdueSessions,
  replaceSigningSession,
} from '#server/db/signing-sessions/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { SigningSessionId } from '#server/domain/ids.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import { isOpenAt } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import { mailedAtOnce } from '#server/steps/alerts/mailed-at-once.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { queueMail } from '#server/steps/mail/queue-mail.ts'
import { firstDocumentFacts } from '#server/steps/signing/first-document-facts.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import { aboutSigner, factsOfSession } from '#server/steps/signing/notify-signers.ts'
import type { System } from '#server/system.ts'

const BATCH = 100

/**
 * Closes sessions whose deadline has passed and notifies and alerts their authors, who can extend or cancel them. A
 * session past its deadline cannot be signed even before this runs.
 */
export async function expireSigningSessions(system: System): Promise<void> {
  const { db, clock } = system
  for (const { id } of await listOverdueSessions(db, clock.now(), BATCH)) await expire(system, id)
}

async function expire({ db, clock, settings }: System, id: SigningSessionId): Promise<void> {
  const at = clock.now()
  await db.transaction(async (trx) => {
    const ceremony = await lockCeremony(trx, id)
    const { session } = ceremony
    // It was completed, extended or cancelled meanwhile.
    if (session.state !== 'open' || session.deadline === null || isOpenAt(session, at)) return
    const expired = { ...session, state: 'expired', stateSince: at, stateBy: null } as const
    if (!(await replaceSigningSession(trx, session, expired))) return
    await discardMailAbout(trx, ceremony.signers.map(aboutSigner), 'session-over', at)
    const page = `${settings.publicOrigin}/dashboard/signing/${id}`
    await mailAuthor(trx, ceremony, { deadline: session.deadline, page, at })
    await raiseAlert(trx, {
      officeId: session.officeId,
      userId: session.createdBy,
      kind: 'session-late',
      severity: 'warning',
      subjectKind: 'signing-session',
      subjectId: id,
      facts: {
        ...{ session: session.title, missing: missingSigners(ceremony) },
        ...(await firstDocumentFacts(trx, ceremony)),
      },
      occasion: occasions.sessionLate(id, session.deadline),
      at,
    })
    await appendSystemEvent(trx, {
      by: 'clock',
      at,
      officeId: session.officeId,
      action: 'signing-session.expired',
      subject: { kind: 'signing-session', id },
      result: 'success',
      details: {},
    })
  })
}

/** The alert says the same in Rúbrica: authors choose whether they also get the mail. */
async function mailAuthor(
  trx: Transaction,
  ceremony: Ceremony,
  { at, ...facts }: { deadline: Instant; page: string; at: Instant },
): Promise<void> {
  const { officeId, createdBy } = ceremony.session
  const author = await findUser(trx, createdBy)
  const reached = await mailedAtOnce(trx, { kind: 'session-late', own: createdBy }, [createdBy])
  if (!author || !reached.has(createdBy)) return
  const { numbered } = await factsOfSession(trx, ceremony)
  await queueMail(trx, {
    ...{ officeId, to: { name: fullName(author), address: author.email } },
    facts: { kind: 'signing-expired', ...facts, ...numbered },
    at,
  })
}

const missingSigners = ({ signers }: Ceremony) =>
  signers.filter(({ state }) => state === 'pending').length
