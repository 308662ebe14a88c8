"""Reading utility functions."""

from utilitysched.kernels.compiling import kernel, leaf_kernel
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Floats, Integers, JobTable


@leaf_kernel
def _segment(known: JobTable, job: int, age: float) -> int:
    """Return the last point of the job's curve at or before `age`, -1 past the last point."""
    low = known.offsets[job]
    high = known.offsets[job + 1]
    if low == high or age > known.times[high - 1]:
        return -1
    while high - low > 1:
        middle = (low + high) // 2
        if known.times[middle] <= age:
            low = middle
        else:
            high = middle
    return low


@leaf_kernel
def between(time: float, value: float, next_time: float, next_value: float, age: float) -> float:
    """Return the value (SU) at `age` (s) on the line between two points of a curve.

    Rounding never takes it below the later point, so that a value never rises with age. The same
    operations as in `swfx.UtilityTable.evaluate`, so that a plan and a bill agree to the last bit.
    """
    return max(value + (next_value - value) * ((age - time) / (next_time - time)), next_value)


@leaf_kernel
def curve_value(known: JobTable, job: int, age: float) -> float:
    """Return the job's utility `age` seconds after its submission (SU)."""
    i = _segment(known, job, age)
    if i < 0:
        return 0.0
    if i + 1 == known.offsets[job + 1]:
        return known.values[i]
    times, values = known.times, known.values
    return between(times[i], values[i], times[i + 1], values[i + 1], age)


@leaf_kernel
def mean_of_curve(times: Floats, values: Floats, durations: Floats, age: float) -> float:
    """Return the mean value of a curve at an age and some durations (SU).

    As `mean_value` of a job with these points: to be asked many times of one job, since it takes
    no table along.
    """
    total = 0.0
    for duration in durations:
        at = age + duration
        if len(times) > 0 and at <= times[-1]:
            i = len(times) - 1
            while i > 0 and times[i] > at:
                i -= 1
            if i + 1 == len(times):
                total += values[i]
            else:
                total += between(times[i], values[i], times[i + 1], values[i + 1], at)
    return total / len(durations)


@leaf_kernel
def decay_rate(known: JobTable, job: int, age: float) -> float:
    """Return the value the job loses per second at `age`, to the right of it (SU/s)."""
    i = _segment(known, job, age)
    if i < 0 or i + 1 == known.offsets[job + 1]:
        return 0.0
    return (known.values[i] - known.values[i + 1]) / (known.times[i + 1] - known.times[i])


@leaf_kernel
def mean_value(known: JobTable, forecast: Forecast, job: int, wait: float) -> float:
    """Return the mean utility of a job started `wait` seconds after its submission (SU)."""
    samples = forecast.duration.shape[1]
    total = 0.0
    for k in range(samples):
        total += curve_value(known, job, wait + forecast.duration[job, k])
    return total / samples


@leaf_kernel
def value_ahead(known: JobTable, job: int, age: float) -> float:
    """Return the area under the job's curve from `age` seconds after its submission on (SU s)."""
    i = _segment(known, job, age)
    if i < 0:
        return 0.0
    times, values = known.times, known.values
    area, time, value = 0.0, age, curve_value(known, job, age)
    for k in range(i + 1, known.offsets[job + 1]):
        area += (times[k] - time) * (value + values[k]) / 2.0
        time, value = times[k], values[k]
    return area


@leaf_kernel
def mean_value_ahead(known: JobTable, forecast: Forecast, job: int, wait: float) -> float:
    """Return the mean area under the curve of a job started `wait` s after submission (SU s)."""
    samples = forecast.duration.shape[1]
    total = 0.0
    for k in range(samples):
        total += value_ahead(known, job, wait + forecast.duration[job, k])
    return total / samples


@leaf_kernel
def mean_decay_rate(known: JobTable, forecast: Forecast, job: int, wait: float) -> float:
    """Return the mean decay rate of a job started `wait` seconds after its submission (SU/s)."""
    samples = forecast.duration.shape[1]
    total = 0.0
    for k in range(samples):
        total += decay_rate(known, job, wait + forecast.duration[job, k])
    return total / samples


@leaf_kernel
def mean_time_left(known: JobTable, forecast: Forecast, job: int, wait: float) -> float:
    """Return the mean time until the job's curve ends, were it started now (s)."""
    end = known.offsets[job + 1]
    if end == known.offsets[job]:
        return 0.0
    samples = forecast.duration.shape[1]
    total = 0.0
    for k in range(samples):
        total += max(0.0, known.times[end - 1] - (wait + forecast.duration[job, k]))
    return total / samples


@kernel
def realised_values(jobs: Integers, completion: Floats, known: JobTable, value: Floats) -> None:
    """Write the utility (SU) of each of these jobs into `value`.

    Parameters
    ----------
    jobs : (k,) int64
        Which.
    completion : (k,) float64
        When each of them ends (s).
    value : (k,) float64
        Filled.
    """
    for i in range(len(jobs)):
        job = jobs[i]
        value[i] = curve_value(known, job, completion[i] - known.submit[job])
