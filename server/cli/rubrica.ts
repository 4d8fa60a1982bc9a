import { run } from './run.ts'

/*
 * The command line: as thin as the pages, over the same domain. Answers go to standard output, reasons to
 * standard error. Exit status: 0 done or all valid, 1 refused or not valid, 2 wrong use.
 */
process.exitCode = await run(process.argv.slice(2))
