import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { REACHING_LOOKS } from '#tests/attacks/reaching-looks.ts'

testFamilies(REACHING_LOOKS)
