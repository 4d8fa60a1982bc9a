import { type Action, authorize, isAllowed } from '#server/domain/policy/authorize.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { Instant } from '#server/domain/time.ts'
import type { Variant } from './ask.ts'
import type { Asked } from './request.ts'
import type { Guard, RouteFacts } from './route-facts.ts'
import type { Credentials, Things } from './world.ts'

export type Expected = {
  status: number
  /** `passed` may write what it likes; everything else changes no row. */
  outcome: 'passed' | 'sent away' | ProblemCode
}

type Question = {
  asked: Asked
  actor: Credentials
  things: Things
  path: string
  method: string
  route: RouteFacts
  variant: Variant
  /** Calls answer with problems where pages send people elsewhere. */
  isCall: boolean
}

/** The answer to one request, by the guards of its route and the table of `authorize`. */
export function expectedFor(question: Question): Expected {
  const { method, route, variant } = question
  const isData = variant === 'data'
  if (isData && method === 'GET' && !route.isPage) return { status: 404, outcome: 'sent away' }
  const { status, outcome } = byGuards(question) ?? byRule(question) ?? passed(question)
  // The client's navigation reads where to go from the body.
  const isSentOn = isData && status >= 300 && status < 400
  return { outcome, status: isSentOn ? 202 : status }
}

function passed({ asked, actor, variant }: Question): Expected {
  const { done, doneAsData } = asked
  const status = typeof done === 'number' ? done : done(actor.name)
  return { outcome: 'passed', status: variant === 'data' ? (doneAsData ?? status) : status }
}

const sentAway = (status: number): Expected => ({ status, outcome: 'sent away' })

/** Where a guard answers, by its own text. */
function byGuards({ actor, route, path, method, asked }: Question): Expected | undefined {
  const { person, name } = actor
  const isPage = method === 'GET'
  for (const guard of route.guards) {
    if (guard === 'guest') {
      if (!/guest/.test(name)) return sentAway(303)
      if (name === 'guest-without-consent' && asked.rule !== 'link') return sentAway(303)
      continue
    }
    if (!isPerson(actor) || !person) return sentAway(302)
    if (guard === 'signed-in' && person.duty) return sentAway(302)
    if (guard === 'with-duty' && person.duty === 'change-password' && /^\/setup-mfa/.test(path))
      return sentAway(302)
    const managed: Partial<Record<Guard, Action>> = {
      'checklist-managers': 'checklists.manage',
      'number-series-managers': 'number-series.manage',
      'obligation-managers': 'obligations.manage',
      'office-managers': 'office.manage',
      'user-managers': 'users.manage',
      'yubikey-managers': 'yubikeys.manage',
    }
    const action = managed[guard]
    if (action && !isAllowed(person.roles, action))
      return isPage ? { status: 302, outcome: 'forbidden' } : { status: 403, outcome: 'forbidden' }
  }
  return undefined
}

const isPerson = ({ cookies }: Credentials) => '__Host-session' in cookies

const STATUS: Partial<Record<ProblemCode, number>> = {
  'not-signed-in': 401,
  forbidden: 403,
  'not-found': 404,
  'password-change-needed': 403,
  'second-factor-needed': 403,
  'signing-link-over': 410,
  'consent-needed': 403,
}

function byRule(question: Question): Expected | undefined {
  const code = refusalOf(question)
  if (!code) return undefined
  if (code === 'step-up-needed') return toStepUp(question)
  if (code === 'forbidden' && question.asked.isHidden) return { outcome: 'not-found', status: 404 }
  return { outcome: code, status: STATUS[code] ?? 0 }
}

function toStepUp({ isCall, method, asked, variant }: Question): Expected {
  const isRefused = isCall || (asked.stepsUpBefore && variant === 'data')
  const sentOn = method === 'GET' || asked.stepsUpBefore ? 302 : 303
  return { outcome: 'step-up-needed', status: isRefused ? 403 : sentOn }
}

function refusalOf({ asked, actor, things }: Question): ProblemCode | undefined {
  const { rule, whose } = asked
  const { person, name } = actor
  if (rule === 'open') return undefined
  if (rule === 'guest' || rule === 'link') {
    if (!/guest/.test(name)) return 'signing-link-over'
    if (whose === 'office' && name === 'foreign-guest') return 'not-found'
    if (rule === 'link') return undefined
    return whose === 'office' && name === 'guest-without-consent' ? 'consent-needed' : undefined
  }
  if (rule === 'program') return name === 'program' ? undefined : 'not-signed-in'
  if (!isPerson(actor) || !person) return 'not-signed-in'
  if (rule === 'person') return undefined
  const officeId =
    whose === 'office' ? (things.officeId as typeof person.officeId) : person.officeId
  try {
    authorize({ ...OF_PERSON, ...person }, rule, { officeId }, Instant.parse(Date.now()))
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

const OF_PERSON = { kind: 'person' } as never as Parameters<typeof authorize>[0] & {
  kind: 'person'
}
