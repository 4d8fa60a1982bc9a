import { hasRfcCheckDigit, isGenericRfc } from '#server/domain/identity/rfc.ts'
import { searchable } from '#server/domain/identity/text.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { SessionAct } from '#server/domain/signing/act/act.ts'
import type { OpenChecks } from '#server/domain/signing/act/checklist.ts'
import { type RoleMismatch, rolesNotMet } from '#server/domain/signing/act/roles-met.ts'
import { before, hours, type Instant } from '#server/domain/time.ts'
import type { Signer } from './signer.ts'
import type { SigningSession } from './signing-session.ts'

/** Something about a draft session that a person should look at before it is opened. It forbids nothing. */
export type Oddity =
  | { code: 'no-deadline' | 'deadline-near' | 'no-notary' }
  | { code: 'same-name' | 'same-address'; names: readonly string[] }
  | {
      code:
        | 'generic-rfc'
        | 'doubtful-rfc'
        | 'no-address'
        | 'account-not-active'
        | 'capacity-missing'
        | 'capacity-ends'
        | 'notary-first'
      name: string
    }
  | { code: 'role-missing' | 'role-exceeded'; mismatch: RoleMismatch; act: string }
  | { code: 'checklist-open'; title: string; act: string; count: number }
  | { code: 'not-green' | 'not-judged' | 'held-elsewhere'; title: string }

export type DraftFacts = {
  session: Pick<SigningSession, 'deadline' | 'act'>
  signers: readonly Signer[]
  /** The accounts of signers who are users. */
  accounts: ReadonlyMap<UserId, User>
  documents: readonly {
    title: string
    /** In another session, or complete. */
    isHeld: boolean
    /** What was found in the file as it arrived. */
    judged: 'green' | 'not-green' | 'waiting'
    /** What its lists still lack before it is sent to be signed. */
    open: readonly OpenChecks[]
  }[]
}

/** What looks odd about the session, the session itself first, then its signers and documents. */
export function odditiesOf(facts: DraftFacts, now: Instant): Oddity[] {
  return [...ofSession(facts, now), ...ofSigners(facts, now), ...ofDocuments(facts)]
}

const ofRoles = (act: SessionAct, signers: readonly Signer[]): Oddity[] =>
  rolesNotMet(act, signers).map((mismatch) => ({
    code: mismatch.count < mismatch.role.least ? 'role-missing' : 'role-exceeded',
    ...{ mismatch, act: act.name },
  }))

/** Signers who are asked on the last day are often too late. */
const NEAR = hours(24)

function ofSession({ session, signers, accounts }: DraftFacts, now: Instant): Oddity[] {
  const { deadline, act } = session
  const found: Oddity[] = []
  if (deadline === null) found.push({ code: 'no-deadline' })
  else if (before(deadline, NEAR) < now) found.push({ code: 'deadline-near' })
  // A private act is signed without a notary.
  const isNotaryAwaited = act === null || act.notary === 'signs'
  if (isNotaryAwaited && signers.length > 0 && !signers.some((one) => signsAsNotary(one, accounts)))
    found.push({ code: 'no-notary' })
  return act === null ? found : [...found, ...ofRoles(act, signers)]
}

function ofSigners(facts: DraftFacts, now: Instant): Oddity[] {
  const { signers } = facts
  return [
    ...sharing(signers, ({ name }) => searchable(name), 'same-name'),
    ...sharing(signers, ({ email }) => email?.toLowerCase() ?? null, 'same-address'),
    ...signers.flatMap((signer) => [...ofParty(signer), ...ofUser(signer, facts, now)]),
  ]
}

/** The same RFC twice is refused, so these are different people, or one of them has a wrong RFC. */
function sharing(
  signers: readonly Signer[],
  keyOf: (signer: Signer) => string | null,
  code: 'same-name' | 'same-address',
): Oddity[] {
  const groups = Map.groupBy(signers, keyOf)
  return [...groups]
    .filter(([value, group]) => value !== null && group.length > 1)
    .map(([, group]) => ({ code, names: group.map(({ name }) => name) }))
}

function ofParty({ userId, name, rfc, email }: Signer): Oddity[] {
  if (userId !== null) return []
  const found: Oddity[] = []
  if (isGenericRfc(rfc)) found.push({ code: 'generic-rfc', name })
  else if (!hasRfcCheckDigit(rfc)) found.push({ code: 'doubtful-rfc', name })
  if (email === null) found.push({ code: 'no-address', name })
  return found
}

function ofUser(signer: Signer, facts: DraftFacts, now: Instant): Oddity[] {
  const { name } = signer
  const account = signer.userId === null ? undefined : facts.accounts.get(signer.userId)
  if (!account) return []
  const found: Oddity[] = []
  if (account.state !== 'active') found.push({ code: 'account-not-active', name })
  if (!signsAsNotary(signer, facts.accounts)) return found
  const { capacity, capacityFrom, capacityTo } = account
  const hasBegun = capacityFrom === null || capacityFrom <= now
  const goesOn = capacityTo === null || now <= capacityTo
  const { deadline } = facts.session
  if (capacity === null || !hasBegun || !goesOn) found.push({ code: 'capacity-missing', name })
  else if (capacityTo !== null && (deadline === null || capacityTo < deadline))
    found.push({ code: 'capacity-ends', name })
  const isBeforeParties = facts.signers.some(
    (other) => other.step > signer.step && !signsAsNotary(other, facts.accounts),
  )
  if (isBeforeParties) found.push({ code: 'notary-first', name })
  return found
}

const signsAsNotary = ({ userId, character }: Signer, accounts: DraftFacts['accounts']): boolean =>
  character.kind === 'office' &&
  userId !== null &&
  (accounts.get(userId)?.roles.includes('NOTARY') ?? false)

function ofDocuments({ documents }: DraftFacts): Oddity[] {
  return documents.flatMap(({ title, isHeld, judged, open }): Oddity[] => [
    ...(isHeld ? [{ code: 'held-elsewhere', title } as const] : []),
    ...(judged === 'waiting' ? [{ code: 'not-judged', title } as const] : []),
    ...(judged === 'not-green' ? [{ code: 'not-green', title } as const] : []),
    ...open.map(({ act, count }) => ({ code: 'checklist-open', title, act, count }) as const),
  ])
}
