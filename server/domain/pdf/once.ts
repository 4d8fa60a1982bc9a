/**
 * Keeps what functions say about one subject, for as long as the subject is in use. What throws is computed again.
 *
 * @returns a function that computes each value once; functions are told apart by identity, so they are not made in place
 */
export function onceAbout<Subject>() {
  const known = new Map<unknown, unknown>()
  return <T>(subject: Subject, compute: (subject: Subject) => T): T => {
    if (!known.has(compute)) known.set(compute, compute(subject))
    return known.get(compute) as T
  }
}
