import type { Actor, Duty, Guest, Person } from '#server/domain/identity/actor.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, type Duration, type Instant, minutes } from '#server/domain/time.ts'

const EVERYBODY = ['ADMIN', 'NOTARY', 'LAWYER', 'CLERK', 'AUDITOR'] as const satisfies Role[]

/** Maximum age of authentication for actions that must not be possible at an unattended screen. */
export const FRESH = minutes(10)

type Rule = {
  roles: readonly Role[]
  /** Requires authentication within this time. */
  provenWithin?: Duration
  /** Duties with which the action stays allowed; all other actions wait. */
  evenWith?: readonly Duty[]
}

const BOTH_DUTIES = ['change-password', 'set-up-second-factor'] as const

/** Who may do what. This table is the whole authorization; nothing else checks roles. */
const RULES = {
  /** The user's accounts in other offices. */
  'accounts.link-own': { roles: EVERYBODY, provenWithin: FRESH },
  'accounts.read-own': { roles: EVERYBODY },
  'accounts.switch-own': { roles: EVERYBODY, provenWithin: FRESH },
  /** Access tokens for the user's own programs. */
  'access-tokens.manage-own': { roles: EVERYBODY, provenWithin: FRESH },
  'access-tokens.read-own': { roles: EVERYBODY },
  /** The user's own alerts. */
  'alerts.read': { roles: EVERYBODY },
  /** Also those of the office. */
  'alerts.read-office': { roles: ['ADMIN'] },
  /** How the user gets alerts by mail. */
  'alerts.manage-own': { roles: EVERYBODY },
  /** Answers what people ask about their data, and gives them what is held about them. */
  'arco.answer': { roles: ['ADMIN', 'NOTARY'], provenWithin: FRESH },
  'arco.read': { roles: ['ADMIN', 'NOTARY', 'LAWYER', 'AUDITOR'] },
  /** Records a request and how the identity was proven. */
  'arco.record': { roles: ['ADMIN', 'NOTARY', 'LAWYER'] },
  /** The log of the whole office; without it, only the user's own events. */
  'audit.read': { roles: ['ADMIN', 'NOTARY', 'AUDITOR'] },
  'audit.read-own': { roles: EVERYBODY },
  /** The secret address of the user's own calendar. */
  'calendar-feed.manage-own': { roles: EVERYBODY, provenWithin: FRESH },
  'calendar-feed.read-own': { roles: EVERYBODY },
  'certificates.read': { roles: EVERYBODY },
  /** The public part of the user's own e.firma. */
  'certificates.register-own': { roles: EVERYBODY },
  /** Who accepted which aviso de privacidad, and consented to pictures of pages. */
  'consents.read': { roles: ['ADMIN', 'NOTARY', 'AUDITOR'] },
  /** The lists of documents that the user keeps under names. */
  'document-views.manage-own': { roles: EVERYBODY },
  /** What the office checks for each act. */
  'checklists.manage': { roles: ['ADMIN', 'NOTARY'] },
  /** A document whose term is over. */
  'document.read-blocked': { roles: ['ADMIN', 'NOTARY', 'AUDITOR'] },
  /** Blocks a document whose term is over, puts that off, and destroys it in the end. */
  'retention.decide': { roles: ['ADMIN', 'NOTARY'], provenWithin: FRESH },
  'retention.read': { roles: ['ADMIN', 'NOTARY', 'AUDITOR'] },
  /** Cancels a draft. */
  'document.cancel': { roles: ['NOTARY', 'LAWYER'] },
  /** Cancels the user's own upload, as long as it was not sent to be signed. */
  'document.withdraw-own': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  /** Cancels the record of a copy that was issued. */
  'document.cancel-copy': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  /** Records that the office issued a copy. */
  'document.record-copy': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  /** Gives a draft another file; the earlier one stays as a version. */
  'document.replace-file': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  /** Ticks what is to be checked before and after the signatures. */
  'document.check': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  /** Edits title, kind and instrument of a draft. */
  'document.describe': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  /** Chooses where the visible signatures of a document that arrived signed stand. */
  'document.place-stamp': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  /** Removes the file of a document that was uploaded by mistake. */
  'document.purge': { roles: ['ADMIN'], provenWithin: FRESH },
  'document.read': { roles: EVERYBODY },
  /** The e.firma must also carry the signer's RFC. */
  'document.sign': { roles: ['NOTARY', 'LAWYER'] },
  /** Signs as a signer of a session; the session names its signers. */
  'document.sign-in-session': { roles: EVERYBODY },
  /** Exports the proofs of a document, which contain network addresses from the log. */
  'document.export-evidence': { roles: ['ADMIN', 'NOTARY', 'LAWYER', 'AUDITOR'] },
  'document.request-constancia': { roles: ['NOTARY', 'LAWYER'] },
  /** Whether the public finds the document by its code. */
  'document.set-public-lookup': { roles: ['NOTARY'] },
  /** Whether the public page shows pictures of the pages, once every party consented. */
  'document.set-public-pictures': { roles: ['NOTARY'] },
  'document.upload': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  'factors.read-own': { roles: EVERYBODY, evenWith: ['set-up-second-factor'] },
  'factors.manage-own': {
    roles: EVERYBODY,
    provenWithin: FRESH,
    evenWith: ['set-up-second-factor'],
  },
  /** Step-up, allowed with any duty. */
  'identity.prove-own': { roles: EVERYBODY, evenWith: BOTH_DUTIES },
  'mail.manage': { roles: ['ADMIN'], provenWithin: FRESH },
  'mail.read': { roles: ['ADMIN'] },
  /** Such mail holds links that grant access to their bearer. */
  'mail.read-secret': { roles: ['ADMIN'], provenWithin: FRESH },
  /** The next number and the book of each series. */
  'number-series.manage': { roles: ['ADMIN', 'NOTARY'], provenWithin: FRESH },
  /** Says why a number has no document. */
  'numbers.explain': { roles: ['ADMIN', 'NOTARY', 'LAWYER'] },
  'numbers.read': { roles: EVERYBODY },
  /** Sets a number apart for a document that does not exist yet. */
  'numbers.reserve': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  /** What the office must do, its terms, and its non-working days. */
  'obligations.manage': { roles: ['ADMIN', 'NOTARY'] },
  /** Notes that something was done, or does not apply. */
  'obligations.mark': { roles: ['ADMIN', 'NOTARY', 'LAWYER', 'CLERK'] },
  'obligations.read': { roles: EVERYBODY },
  'office.manage': { roles: ['ADMIN'], provenWithin: FRESH },
  'office.read': { roles: EVERYBODY },
  /** The form requires the current password. */
  'password.change-own': { roles: EVERYBODY, evenWith: BOTH_DUTIES },
  /** What the office did, counted and listed. */
  'reports.read': { roles: EVERYBODY },
  /** What each person did, and when they signed in. */
  'reports.read-people': { roles: ['ADMIN', 'NOTARY', 'AUDITOR'] },
  'sessions.end-own': { roles: EVERYBODY, provenWithin: FRESH },
  'sessions.read-own': { roles: EVERYBODY, evenWith: BOTH_DUTIES },
  /** Rejects as a signer of a session, which ends it for all. */
  'signing-sessions.reject': { roles: EVERYBODY, provenWithin: FRESH },
  'signing-sessions.manage': { roles: ['NOTARY', 'LAWYER', 'CLERK'] },
  'signing-sessions.read': { roles: EVERYBODY },
  'users.manage': { roles: ['ADMIN'], provenWithin: FRESH },
  /** With e-mail, RFC and state; without it, only names and roles. */
  'users.read': { roles: ['ADMIN', 'NOTARY', 'AUDITOR'] },
  'users.read-names': { roles: EVERYBODY },
  /** Every user's sessions and second factors. */
  'users.read-access': { roles: ['ADMIN'] },
  /** The inventory of physical keys, and the certificates of their maker. */
  'yubikeys.manage': { roles: ['ADMIN'], provenWithin: FRESH },
  /** The keys of the whole office; without it, only those that the user holds. */
  'yubikeys.read': { roles: ['ADMIN', 'NOTARY', 'AUDITOR'] },
  'yubikeys.read-own': { roles: EVERYBODY },
  /** Links the user's own credentials with a key that they hold, and reports it lost. */
  'yubikeys.manage-own': { roles: EVERYBODY, provenWithin: FRESH },
} satisfies Record<string, Rule>

export type Action = keyof typeof RULES

/** Whether one of these roles allows it; pages use it to hide actions. */
export function isAllowed(roles: readonly Role[], action: Action): boolean {
  const { roles: allowed }: Rule = RULES[action]
  return roles.some((role) => allowed.includes(role))
}

/** The roles of an action, for the page that shows the table. */
export function rolesAllowed(action: Action): readonly Role[] {
  return RULES[action].roles
}

export const ACTIONS = Object.keys(RULES) as readonly Action[]

/** Of which office it is, and since when a document is blocked. */
export type Resource = { readonly officeId: OfficeId; readonly blockedAt?: Instant | null }

/** On a blocked document, by the rule that it needs then; whatever else one may do to a document is refused. */
const ON_BLOCKED: Partial<Record<Action, Action>> = {
  'document.read': 'document.read-blocked',
  'document.export-evidence': 'document.read-blocked',
}

function mustNotBeBlocked({ roles, userId }: Person, action: Action, resource: Resource): void {
  if ((resource.blockedAt ?? null) === null || !action.startsWith('document.')) return
  const needed = ON_BLOCKED[action]
  if (needed && isAllowed(roles, needed)) return
  throw new Problem('document-blocked', `${userId} may not ${action} what is blocked`)
}

/**
 * Authorizes the actor and returns the person, or throws.
 *
 * @throws {Problem} `not-signed-in` for an anonymous actor; `forbidden` when no role fits; `document-blocked`; `not-found` when
 *   another office owns the resource (its existence is not revealed); `password-change-needed` or
 *   `second-factor-needed` for a pending duty; `step-up-needed` when only the last authentication is too old
 *   (step up, then retry)
 */
export function authorize(actor: Actor, action: Action, resource: Resource, now: Instant): Person {
  const person = mustBeSignedIn(actor)
  const rule: Rule = RULES[action]
  if (person.officeId !== resource.officeId)
    throw new Problem('not-found', `${action} on a resource of another office`)
  if (!isAllowed(person.roles, action))
    throw new Problem('forbidden', `no role of ${person.userId} allows ${action}`)
  mustNotBeBlocked(person, action, resource)
  mustHaveNoDuty(person, action, rule.evenWith ?? [])
  if (rule.provenWithin) mustBeProven(person, action, rule.provenWithin, now)
  return person
}

/** Whether the person authenticated less than `within` ago. */
export const isProven = ({ provenAt }: Person, within: Duration, now: Instant): boolean =>
  now < after(provenAt, within)

/** Requires authentication less than `within` ago. @throws {Problem} `step-up-needed` */
export function mustBeProven(person: Person, what: string, within: Duration, now: Instant): void {
  if (!isProven(person, within, now))
    throw new Problem('step-up-needed', `${what} wants a fresh proof of ${person.userId}`)
}

/** @throws {Problem} `not-signed-in` */
export function mustBeSignedIn(actor: Actor): Person {
  if (actor.kind !== 'person') throw new Problem('not-signed-in', 'a stranger asks')
  return actor
}

/** @throws {Problem} `signing-link-over` if the actor has no signing link, or one that is no longer valid */
export function mustBeGuest(actor: Actor): Guest {
  if (actor.kind !== 'guest')
    throw new Problem('signing-link-over', 'the actor has no signing link')
  return actor
}

function mustHaveNoDuty({ duty, userId }: Person, action: Action, evenWith: readonly Duty[]) {
  if (duty === null || evenWith.includes(duty)) return
  const code = duty === 'change-password' ? 'password-change-needed' : 'second-factor-needed'
  throw new Problem(code, `${userId} must ${duty} before ${action}`)
}
