import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { NAMES } from '#tests/attacks/names.ts'

testFamilies(NAMES)
