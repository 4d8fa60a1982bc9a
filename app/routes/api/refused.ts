import type { Refusal } from '#app/http/problem-json.ts'

/** A refusal that does not come from a use case, or has more fields than its code. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]

  constructor(
    refusal: Refusal,
    more: { headers?: Record<string, string>; cookies?: readonly string[] } = {},
  ) {
    super(refusal.code)
    this.refusal = refusal
    this.headers = more.headers ?? {}
    this.cookies = more.cookies ?? []
  }
}
