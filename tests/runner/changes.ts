import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './stages.ts'

export type Changes = {
  /** The commit from which changes count. */
  since: string
  /** A description for the developer. */
  description: string
  /** Committed since then, not committed, or not yet known to git; by their paths from the root. */
  files: readonly string[]
}

/**
 * The files that a developer changed. On a branch: since it left main. On main: not yet pushed. If there are none:
 * the last commit.
 *
 * @throws {Error} if there is no git history
 */
export function changesOf(root = ROOT): Changes {
  const git = (...args: string[]) => gitIn(root, args)
  const head = git('rev-parse', 'HEAD')
  if (head === undefined) throw new Error('npm run check needs git and at least one commit.')
  const isMain = git('rev-parse', '--abbrev-ref', 'HEAD') === 'main'
  const base = git('merge-base', 'HEAD', isMain ? 'origin/main' : 'main') ?? head
  const files = changedSince(git, base)
  if (files.length > 0) {
    const description = isMain ? 'that is not pushed' : 'since main'
    return {
      since: base,
      description: base === head ? 'that is not committed' : description,
      files,
    }
  }
  const since = git('rev-parse', '--verify', '--quiet', 'HEAD^') ?? head
  return { since, description: 'in the last commit', files: changedSince(git, since) }
}

function changedSince(git: (...args: string[]) => string | undefined, since: string): string[] {
  const linesOf = (text: string | undefined) => (text ?? '').split('\n').filter(Boolean)
  return [
    ...linesOf(git('diff', '--name-only', '--no-renames', since)),
    ...linesOf(git('ls-files', '--others', '--exclude-standard')),
  ]
}

/** The output of git without the last line break; undefined if it fails. */
function gitIn(root: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trimEnd() : undefined
}

/**
 * The tests that name a changed file that no module imports: a page of the docs, an example, a setting.
 *
 * @param tests paths from the root
 */
export function testsNaming(changed: readonly string[], tests: readonly string[]): string[] {
  const names = changed.filter((file) => !/\.tsx?$/.test(file)).map((file) => path.basename(file))
  if (names.length === 0) return []
  return tests.filter((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    return names.some((name) => source.includes(name))
  })
}
