import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { changesOf, testsNaming } from '#tests/runner/changes.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'rubrica-changes-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  git('init', '--initial-branch=main')
  commit('first.ts')
})

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Ana', '-c', 'user.email=ana@notaria.example']
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

const write = (file: string, text = file) => writeFileSync(path.join(root, file), text)

function commit(file: string): string {
  write(file)
  git('add', '--all')
  git('commit', '--message', file)
  return git('rev-parse', 'HEAD')
}

test('on a branch: what was committed since it left main, and what is not committed', () => {
  const base = commit('second.ts')
  git('switch', '--create', 'work')
  commit('third.ts')
  git('switch', '--quiet', 'main')
  commit('of-another.ts')
  git('switch', '--quiet', 'work')
  write('first.ts', 'changed')
  write('año nuevo.ts')
  const { since, files, description } = changesOf(root)
  expect(since).toBe(base)
  expect(files.toSorted()).toEqual(['año nuevo.ts', 'first.ts', 'third.ts'])
  expect(description).toBe('since main')
})

test('on main: what is not pushed, committed or not', () => {
  const pushed = git('rev-parse', 'HEAD')
  git('update-ref', 'refs/remotes/origin/main', pushed)
  commit('second.ts')
  write('third.ts')
  expect(changesOf(root)).toEqual({
    since: pushed,
    files: ['second.ts', 'third.ts'],
    description: 'that is not pushed',
  })
})

test('on main that is pushed nowhere: what is not committed', () => {
  const head = commit('second.ts')
  write('third.ts')
  expect(changesOf(root)).toEqual({
    since: head,
    files: ['third.ts'],
    description: 'that is not committed',
  })
})

test('changed files without changes: those of the last commit', () => {
  const first = git('rev-parse', 'HEAD')
  commit('second.ts')
  expect(changesOf(root)).toEqual({
    since: first,
    files: ['second.ts'],
    description: 'in the last commit',
  })
})

test('outside of git: says what is missing', () => {
  rmSync(path.join(root, '.git'), { recursive: true })
  expect(() => changesOf(root)).toThrow('needs git')
})

test('a test that names a changed page of the docs is touched by it, and not by a module', () => {
  const tests = ['tests/unit/docs/manual.test.ts', 'tests/unit/runner/changes.test.ts']
  expect(testsNaming(['docs/manual.md'], tests)).toContain(tests[0])
  expect(testsNaming(['docs/no-such-page.md'], [tests[0]!])).toEqual([])
  expect(testsNaming(['server/manual.ts'], tests)).toEqual([])
})
