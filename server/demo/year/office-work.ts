import { actorFor, userFor } from '#server/demo/demo-actor.ts'
import { COLLATION_SERIES, INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { NumberSeriesId } from '#server/domain/ids.ts'
import { watchCertificates } from '#server/features/certificates/watch-certificates.ts'
import { discardMail } from '#server/features/mail/discard-mail.ts'
import { listOutbox } from '#server/features/mail/list-outbox.ts'
import { sendDueMail } from '#server/features/mail/send-due-mail.ts'
import { ChangeSeries, changeSeries } from '#server/features/numbers/change-series.ts'
import { explainNumber } from '#server/features/numbers/explain-number.ts'
import { readSeries } from '#server/features/numbers/list-series.ts'
import { reserveNumber } from '#server/features/numbers/reserve-number.ts'
import { InviteUser, inviteUser } from '#server/features/users/invite-user.ts'
import { suspendUser } from '#server/features/users/suspend-user.ts'
import { watchCapacities } from '#server/features/users/watch-capacities.ts'
import type { System } from '#server/system.ts'
import { INVITED } from './staff.ts'
import type { OfficeWork } from './work.ts'

type Scene = { users: readonly User[] }

/** Does what concerns the whole office, with the use case that a page or a job uses. */
export async function doOfficeWork(
  system: System,
  { users }: Scene,
  { by, work }: { by: string; work: OfficeWork },
): Promise<void> {
  const actor = () => actorFor(system, users, by)
  switch (work.kind) {
    case 'start-numbers':
      await goOn(system, actor(), INSTRUMENT_SERIES, { next: work.instrument, book: '113' })
      await goOn(system, actor(), COLLATION_SERIES, { next: work.collation, book: '2' })
      return
    case 'skip-number':
      await goOn(system, actor(), INSTRUMENT_SERIES, { next: work.next, book: '118' })
      await goOn(system, actor(), COLLATION_SERIES, { next: null, book: '3' })
      return
    case 'reserve-number': {
      const { once, note } = work
      await reserveNumber(system, actor(), { seriesId: INSTRUMENT_SERIES, once, note })
      return
    }
    case 'explain-number': {
      const { seriesId, number, reason } = work
      const range = { seriesId, first: number, last: number }
      await explainNumber(system, actor(), { ...range, reason })
      return
    }
    case 'watch':
      return await watch(system)
    case 'suspend': {
      const { id } = userFor(users, work.slug)
      const reason = Reason.parse(work.reason)
      return await suspendUser(system, actor(), { userId: id, reason })
    }
    case 'invite':
      await inviteUser(system, actor(), invitation())
      return
    case 'empty-outbox':
      return await emptyOutbox(system, actor())
  }
}

/** Lets a series go on with this number, or with the one it has. */
async function goOn(
  system: System,
  by: Person,
  seriesId: NumberSeriesId,
  to: { next: number | null; book: string },
): Promise<void> {
  const { name, at, next } = await readSeries(system, by, { seriesId })
  const form = { seriesId, name, seen: { at, next }, book: to.book, next: to.next ?? next }
  await changeSeries(system, by, ChangeSeries.parse({ ...form, countedFrom: null }))
}

/** The jobs that warn, and that discard mail which is too old. */
async function watch(system: System): Promise<void> {
  await watchCertificates(system)
  await watchCapacities(system)
  await sendDueMail(system)
}

const invitation = () =>
  InviteUser.parse({
    ...{ ...INVITED, roles: ['CLERK'] },
    ...{ capacity: null, capacityOf: null, capacityFrom: null, capacityTo: null },
  })

/** The mails of the year are discarded: with a mail server the demo would send them today. */
async function emptyOutbox(system: System, by: Person): Promise<void> {
  for (;;) {
    const { mail } = await listOutbox(system, by, { state: 'waiting' })
    if (mail.length === 0) return
    for (const { id } of mail) await discardMail(system, by, { mailId: id })
  }
}
