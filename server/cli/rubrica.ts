import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * The command line: as thin as the pages, over the same domain. Answers go to standard output, reasons to
 * standard error. Exit status: 0 done or all valid, 1 refused or not valid, 2 wrong use.
 */

// Beside what npm installed and not in a folder that others can write to: what lies there is run.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/rubrica', import.meta.url)))
const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2))
