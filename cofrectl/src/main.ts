#!/usr/bin/env node
import { cofrectl } from './cofrectl'

async function main(): Promise<void> {
  const { stdin: input, stdout: output, stderr: errors, env, argv } = process
  // The reader may close the pipe early: `cofrectl --help | head`.
  for (const stream of [output, errors]) stream.on('error', () => process.exit())
  process.exitCode = await cofrectl(argv.slice(2), { input, output, errors, env, cwd: process.cwd() })
}

void main()
