import { Problem } from '#server/domain/problem.ts'
import type { Call } from './define-call.ts'
import * as factors from './factor-calls.ts'
import { openApi } from './openapi-call.ts'
import * as password from './password-calls.ts'
import { Refused } from './refused.ts'
import * as sessions from './session-calls.ts'
import * as signIns from './sign-in-calls.ts'
import * as signing from './signing-calls.ts'

/** Path prefix: `/api/v1` + the template of each call. */
const PREFIX = '/api/v1'

/** The calls of the specification, in its order. */
const CALLS: readonly Call[] = [
  password.change,
  sessions.health,
  signIns.login,
  sessions.logout,
  factors.regenerate,
  factors.disable,
  factors.enableTotp,
  factors.verifySetup,
  sessions.refreshToken,
  sessions.getSession,
  sessions.validateSession,
  sessions.listSessions,
  sessions.terminateAllSessions,
  sessions.terminateSession,
  signIns.verifyMfa,
  signIns.beginAuthentication,
  signIns.finishAuthentication,
  factors.listCredentials,
  factors.removeCredential,
  factors.updateCredential,
  factors.beginRegistration,
  factors.finishRegistration,
]

/** For programs that sign for a person with a key of their own. */
const SIGNING_CALLS: readonly Call[] = [signing.listTurns, signing.prepare, signing.complete]

const DESCRIBED = [...CALLS, ...SIGNING_CALLS]
/** Every call. */
export const ALL_CALLS: readonly Call[] = [...DESCRIBED, openApi(() => DESCRIBED)]

/**
 * Returns the call for a path and method.
 *
 * @throws {Problem} `not-found`
 * @throws {Refused} 405, with the allowed methods
 */
export function findCall(pathname: string, method: string): Call {
  const here = ALL_CALLS.filter(({ template }) => isAt(template, pathname))
  if (here.length === 0) throw new Problem('not-found', 'no such call')
  const effective = method === 'HEAD' ? 'GET' : method
  const call = here.find((one) => one.method === effective)
  if (call) return call
  const methods = here.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method]))
  throw new Refused(
    { status: 405, code: 'method-not-allowed', detail: 'Esta dirección no admite ese método.' },
    { headers: { Allow: methods.join(', ') } },
  )
}

function isAt(template: string, pathname: string): boolean {
  const [names, values] = [`${PREFIX}${template}`.split('/'), pathname.split('/')]
  return (
    names.length === values.length &&
    names.every((name, index) => name === values[index] || (name.startsWith('{') && values[index]))
  )
}
