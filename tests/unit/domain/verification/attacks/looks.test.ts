import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { LOOKS } from '#tests/attacks/looks.ts'

testFamilies(LOOKS)
