import { metrics, type Attributes, type Counter, type Histogram } from '@opentelemetry/api'

// From 5 ms to 10 s: the times that a caller of a payments API may see.
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const histograms = new Map<string, Histogram>()
const counters = new Map<string, Counter>()
const meter = () => metrics.getMeter('cofre')

/** Records how long something took, in milliseconds, in the histogram of that name, whose unit is seconds. */
export function recordDuration(name: string, description: string, ms: number, attributes: Attributes): void {
  let histogram = histograms.get(name)
  if (!histogram) {
    const options = { description, advice: { explicitBucketBoundaries: SECONDS } }
    histogram = meter().createHistogram(name, options)
    histograms.set(name, histogram)
  }
  histogram.record(ms / 1_000, attributes)
}

/** Counts one more. */
export function count(name: string, description: string, attributes: Attributes = {}): void {
  let counter = counters.get(name)
  if (!counter) {
    counter = meter().createCounter(name, { description })
    counters.set(name, counter)
  }
  counter.add(1, attributes)
}

/** Exports a value for each of several attributes, all read at each scrape. */
export function observeEach(
  name: string,
  description: string,
  read: () => Promise<readonly { value: number; attributes: Attributes }[]>,
): void {
  const gauge = meter().createObservableGauge(name, { description })
  gauge.addCallback(async (result) => {
    // The exporter repeats the last values of a database that is away: they change within days, not minutes.
    for (const { value, attributes } of await read().catch(() => [])) result.observe(value, attributes)
  })
}

/** Exports a value that is read at each scrape. One that can't be read is NaN, which matches no comparison of an alert. */
export function observe(
  name: string,
  description: string,
  read: () => Promise<number> | number,
  attributes: Attributes = {},
): void {
  const gauge = meter().createObservableGauge(name, { description })
  gauge.addCallback(async (result) => {
    try {
      result.observe(await read(), attributes)
    } catch {
      // Without a new value the exporter would repeat the last one. That the database is away is another metric.
      result.observe(NaN, attributes)
    }
  })
}
