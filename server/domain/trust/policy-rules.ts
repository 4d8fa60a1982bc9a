import { ID_ANY_POLICY } from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { type PolicyStatements, policyStatementsOf } from './certificate-policies.ts'
import { isSelfIssued } from './issued-by.ts'

/** Under which policies a certificate must have been issued; absent: under any, or none. */
export type PolicyRequirements = {
  /** Dotted decimals; absent: any. */
  acceptable?: readonly string[]
  /** There must be a policy that holds along the whole path. */
  requireExplicit?: boolean
  inhibitMapping?: boolean
  inhibitAny?: boolean
}

/** One policy that still holds at some depth of the path. */
type Policy = {
  /** What it is called in the next certificate. */
  expected: ReadonlySet<string>
  /** What the anchor's side calls it: policies that may be in `acceptable`. */
  origins: ReadonlySet<string>
}

/** By its name at this depth. One entry a name, so that mappings cannot multiply (RFC 9618, 3). */
type Level = ReadonlyMap<string, Policy>

type State = { level: Level; explicit: number; mapping: number; any: number }

/**
 * Whether the policies of a path hold: none is asked for, or one runs through all of it.
 *
 * @param path from the leaf to the anchor, both included
 * @throws {DerError} if an extension about policies is malformed
 * @see RFC 5280, 6.1.2 to 6.1.5; RFC 9618, 5
 */
export function doPoliciesHold(
  path: readonly Certificate[],
  requirements: PolicyRequirements = {},
): boolean {
  const below = path.slice(0, -1).reverse()
  const never = below.length + 1
  let state: State = {
    level: new Map([[ID_ANY_POLICY, ANYTHING]]),
    explicit: requirements.requireExplicit ? 0 : never,
    mapping: requirements.inhibitMapping ? 0 : never,
    any: requirements.inhibitAny ? 0 : never,
  }
  for (const [index, certificate] of below.entries()) {
    const isLast = index === below.length - 1
    const said = policyStatementsOf(certificate)
    const mayBeAny = state.any > 0 || (!isLast && isSelfIssued(certificate))
    state = { ...state, level: nextLevel(state.level, said.policies, mayBeAny) }
    if (state.explicit === 0 && state.level.size === 0) return false
    if (isLast) return isAcceptable(finished(state, said), requirements.acceptable)
    if (said.mappings.some(({ from, to }) => from === ID_ANY_POLICY || to === ID_ANY_POLICY))
      return false
    state = prepared({ ...state, level: mapped(state, said) }, said, isSelfIssued(certificate))
  }
  return true
}

const ANYTHING: Policy = { expected: new Set([ID_ANY_POLICY]), origins: new Set([ID_ANY_POLICY]) }

/** @see RFC 5280, 6.1.3 (d) and (e) */
function nextLevel(
  level: Level,
  policies: readonly string[] | undefined,
  mayBeAny: boolean,
): Level {
  const next = new Map<string, Policy>()
  if (!policies) return next
  const inherited = inheritedFrom(level)
  for (const policy of policies) {
    if (policy === ID_ANY_POLICY) continue
    const origins = inherited.get(policy) ?? (level.has(ID_ANY_POLICY) ? [policy] : undefined)
    if (origins) next.set(policy, { expected: new Set([policy]), origins: new Set(origins) })
  }
  if (!policies.includes(ID_ANY_POLICY) || !mayBeAny) return next
  for (const [policy, origins] of inherited)
    if (!next.has(policy)) next.set(policy, { expected: new Set([policy]), origins })
  return next
}

/** Every name that the level above expects, and where those policies come from. */
function inheritedFrom(level: Level): Map<string, Set<string>> {
  const inherited = new Map<string, Set<string>>()
  for (const { expected, origins } of level.values())
    for (const name of expected)
      inherited.set(name, new Set([...(inherited.get(name) ?? []), ...origins]))
  return inherited
}

/** @see RFC 5280, 6.1.4 (b) */
function mapped({ level, mapping }: State, { mappings }: PolicyStatements): Level {
  const next = new Map(level)
  for (const from of new Set(mappings.map((one) => one.from))) {
    const origins =
      level.get(from)?.origins ?? (level.has(ID_ANY_POLICY) ? new Set([from]) : undefined)
    const to = mappings.filter((one) => one.from === from).map((one) => one.to)
    if (mapping === 0) next.delete(from)
    else if (origins) next.set(from, { expected: new Set(to), origins })
  }
  return next
}

/** @see RFC 5280, 6.1.4 (h) to (j) */
function prepared(state: State, said: PolicyStatements, isSelf: boolean): State {
  const less = (count: number) => (isSelf || count === 0 ? count : count - 1)
  return {
    level: state.level,
    explicit: Math.min(less(state.explicit), said.requireExplicit ?? Number.POSITIVE_INFINITY),
    mapping: Math.min(less(state.mapping), said.inhibitMapping ?? Number.POSITIVE_INFINITY),
    any: Math.min(less(state.any), said.inhibitAny ?? Number.POSITIVE_INFINITY),
  }
}

/** @see RFC 5280, 6.1.5 (a) and (b) */
function finished(state: State, { requireExplicit }: PolicyStatements): State {
  const explicit = requireExplicit === 0 ? 0 : Math.max(0, state.explicit - 1)
  return { ...state, explicit }
}

/** @see RFC 5280, 6.1.5 (g) */
function isAcceptable(
  { level, explicit }: State,
  acceptable: readonly string[] | undefined,
): boolean {
  if (explicit > 0) return true
  const origins = new Set([...level.values()].flatMap((policy) => [...policy.origins]))
  if (!acceptable || acceptable.includes(ID_ANY_POLICY)) return origins.size > 0
  return acceptable.some((policy) => origins.has(policy)) || origins.has(ID_ANY_POLICY)
}
