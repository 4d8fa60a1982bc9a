import type { Register } from 'react-router'
import type { Action } from '#server/domain/policy/authorize.ts'
import type { ActorName, Credentials, Things } from './world.ts'

type Modules = Register extends { routeModules: infer M } ? M : never
type With<Export extends string> = {
  [Id in keyof Modules]: Modules[Id] extends Record<Export, unknown> ? Id : never
}[keyof Modules]

/** Layouts have no address of their own, and a guard is asked with each page below it. */
type Frame = 'root' | `guards/${string}` | `${string}/${'layout' | 'content' | 'guest-layout'}`

/**
 * Every route with an address, and every route that takes a form: an entry is missing if the matrix does not compile.
 * The calls of the API are named by their description.
 */
export type ReadableRoute = Exclude<keyof Modules, Frame>
export type WritableRoute = Exclude<With<'action'>, Frame | 'routes/api/call'>

/**
 * What lets a request pass. `open`: nothing is asked. `person`: any session, with any duty. `guest`: the link of a
 * guest who agreed. `link`: that of any guest. `program`: an access token.
 */
export type Rule = Action | 'open' | 'person' | 'guest' | 'link' | 'program'

/** Whose thing a request names: one of the office that is asked about, or one that each actor has. */
type Whose = 'office' | 'own'

export type Sent =
  | { kind: 'form'; fields: readonly (readonly [name: string, value: string])[] }
  | {
      kind: 'parts'
      fields: Readonly<Record<string, string>>
      files: readonly string[]
      bytes: Uint8Array
    }
  | { kind: 'json'; body: unknown }
  /** A part of a file, with its digest. */
  | { kind: 'bytes'; bytes: string }

export type Asked = {
  rule: Rule
  whose: Whose
  to: string | ((things: Things, actor: Credentials) => string)
  /** Absent for a GET. */
  sent?: Sent | ((things: Things, actor: Credentials) => Sent)
  /** The status for an actor who may; by actor where they differ. */
  done: number | ((actor: ActorName) => number)
  /** Nothing says that the thing exists: no 403, and no event. */
  isHidden?: boolean
  /** The page of the form steps up, and the form itself is refused. */
  stepsUpBefore?: boolean
  /** The same as data, if the page of the form sends people on instead of showing the answer. */
  doneAsData?: number
}
