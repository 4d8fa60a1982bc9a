import { mkdtempSync } from 'node:fs'
import { faultOfGood } from '#tests/oracle/good.ts'
import { goodFiles } from '#tests/oracle/good-files.ts'
import { examine } from '#tests/oracle/oracle.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

const policy = await testPolicy({ at: Date.now() as any })
let n = 0,
  left = 0,
  draw = 0
const v: any = {}
const t = performance.now()
const lefts: any = {}
const faults: any = {}
for await (const g of goodFiles(mkdtempSync('/tmp/oracle-work/good-'))) {
  if ('reason' in g) {
    left++
    const k = g.name.split(/[;,]/).at(-1) + ': ' + g.reason.slice(0, 80)
    lefts[k] = (lefts[k] ?? 0) + 1
    continue
  }
  n++
  const e = examine(g.name, g.file, policy)
  v[e.report.verdict] = (v[e.report.verdict] ?? 0) + 1
  if (e.doubtful) draw++
  const f = faultOfGood(e.report)
  if (f) {
    ;(faults[f] ??= []).push(g.name)
  }
}
console.log(n, left, draw, v, performance.now() - t, lefts)
for (const [k, x] of Object.entries(faults) as any) console.log(x.length, k, x.slice(0, 4))
