import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { CUT_LETTERS } from '#tests/attacks/cut-letters.ts'

testFamilies(CUT_LETTERS)
