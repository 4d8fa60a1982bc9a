/*
 * Every command of `rubrica`: the options that it parses and their help, in one place so that they cannot
 * differ. Texts are es-MX.
 */

import { BACKUP_COMMANDS } from './backup-commands.ts'
import { LOG_COMMANDS } from './log-commands.ts'
import { OFFICE_COMMANDS } from './office-commands.ts'
import { SERVER_COMMANDS } from './server-commands.ts'
import { SIGNING_COMMANDS } from './signing-commands.ts'
import { TRUST_COMMANDS } from './trust-commands.ts'

/** In the order of the list of all commands. */
export const COMMANDS = {
  ...SIGNING_COMMANDS,
  ...LOG_COMMANDS,
  ...BACKUP_COMMANDS,
  ...SERVER_COMMANDS,
  ...OFFICE_COMMANDS,
  ...TRUST_COMMANDS,
} as const

export type CommandName = keyof typeof COMMANDS

/** The first word of each command. */
export type TopCommand = CommandName extends infer Name
  ? Name extends `${infer First} ${string}`
    ? First
    : Name
  : never

/** The subcommands of `audit` or `trust`. */
export type SubCommand<Group extends TopCommand> = CommandName extends infer Name
  ? Name extends `${Group} ${infer Second}`
    ? Second
    : never
  : never
