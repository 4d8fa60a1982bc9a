import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { REBUILT } from '#tests/attacks/rebuilt.ts'

testFamilies(REBUILT)
