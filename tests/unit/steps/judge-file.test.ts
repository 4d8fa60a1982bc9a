import { expect, test } from 'vitest'
import type { FileBudget } from '#server/ports/file-budget.ts'
import { judgeFile } from '#server/steps/judgements/judge-file.ts'
import type { System } from '#server/system.ts'

const FILE = { path: '/recibido.pdf', length: 1, fileKey: null }
const POLICY = { anchors: [], candidates: [], at: 0 } as never
const EVIDENCE = { ocsp: [], crls: [] }

/** Records the options of each task, and the policy under which the file is verified. */
function recording() {
  const seen: { budgets: (FileBudget | undefined)[]; others: unknown[]; policies: unknown[] } = {
    ...{ budgets: [], others: [], policies: [] },
  }
  const note = <T>({ budget, ...others }: { budget?: FileBudget } = {}, answer: T) => {
    seen.budgets.push(budget)
    seen.others.push(others)
    return Promise.resolve(answer)
  }
  const pdf = {
    questions: (_file: unknown, _policy: unknown, options: object) => note(options, ['question']),
    verify: (_file: unknown, _name: string, policy: unknown, options: object) => {
      seen.policies.push(policy)
      return note(options, 'report')
    },
  }
  const revocation = {
    answersTo: (_questions: unknown, _policy: unknown, options: object) => note(options, EVIDENCE),
  }
  return { system: { pdf, revocation } as unknown as Pick<System, 'pdf' | 'revocation'>, seen }
}

test('file: is verified with the answers of authorities about its certificates', async () => {
  const { system, seen } = recording()
  const judged = await judgeFile(system, FILE, 'recibido.pdf', POLICY)
  expect(judged).toEqual({ report: 'report', evidence: EVIDENCE })
  expect(seen.policies).toEqual([{ ...(POLICY as object), evidence: EVIDENCE }])
})

test('file: all tasks share one budget, that of the caller if there is one', async () => {
  const { system, seen } = recording()
  await judgeFile(system, FILE, 'recibido.pdf', POLICY)
  expect(seen.budgets[0]).toEqual({})
  expect(new Set(seen.budgets).size).toBe(1)
  const budget: FileBudget = {}
  const constancia = new Uint8Array(1)
  await judgeFile(system, FILE, 'recibido.pdf', POLICY, { isPatient: true, constancia, budget })
  expect(seen.budgets.slice(3).every((one) => one === budget)).toBe(true)
  expect(seen.others.slice(3)).toEqual(Array(3).fill({ isPatient: true, constancia }))
})
