import type { Option } from './command-options.ts'

export type CommandDescription = {
  /** One line in the list of all commands. */
  summary: string
  purpose: string
  /** The arguments after the name, one entry per form. */
  forms: readonly string[]
  /** Continues below the last form. */
  more?: string
  options: Readonly<Record<string, Option>>
  /** Set if it works on a server's data, with that server's environment. */
  isOfServer?: true
  example: string
  /** The meaning of each exit status. */
  exits: Readonly<Partial<Record<0 | 1 | 2, string>>>
}

export const MISUSE = 'las opciones están mal o no se puede leer lo que se indicó'
