import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { REPAIRED } from '#tests/attacks/repaired.ts'

testFamilies(REPAIRED)
