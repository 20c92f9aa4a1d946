/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only C++ file: Boost.Math and KISS FFT behind a C interface.
 *
 * Doubles are never promoted: on aarch64 long double is software and a hundred
 * times slower.  Boost's errors are ignored, which makes them NaN or infinity,
 * and whatever is thrown in spite of that becomes a NaN here.
 */
#include "num/boost_math.h"

#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <kissfft/kissfft.hh>

namespace bm = boost::math;

namespace {

using namespace boost::math::policies;
using plain = policy<promote_float<false>, promote_double<false>,
                     domain_error<ignore_error>, pole_error<ignore_error>,
                     overflow_error<ignore_error>,
                     underflow_error<ignore_error>, denorm_error<ignore_error>,
                     evaluation_error<ignore_error>,
                     rounding_error<ignore_error>,
                     indeterminate_result_error<ignore_error>>;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

template <class Work> double or_nan(Work work) noexcept
{
    try {
        return work();
    } catch (...) {
        return nan_value;
    }
}

} // namespace

double iv_boost_ibeta(double a, double b, double x)
{
    return or_nan([=] { return bm::ibeta(a, b, x, plain()); });
}

double iv_boost_ibetac(double a, double b, double x)
{
    return or_nan([=] { return bm::ibetac(a, b, x, plain()); });
}

double iv_boost_ibeta_inv(double a, double b, double p)
{
    return or_nan([=] { return bm::ibeta_inv(a, b, p, plain()); });
}

double iv_boost_ibetac_inv(double a, double b, double q)
{
    return or_nan([=] { return bm::ibetac_inv(a, b, q, plain()); });
}

double iv_boost_gamma_p(double shape, double x)
{
    return or_nan([=] { return bm::gamma_p(shape, x, plain()); });
}

double iv_boost_gamma_q(double shape, double x)
{
    return or_nan([=] { return bm::gamma_q(shape, x, plain()); });
}

double iv_boost_gamma_p_inv(double shape, double p)
{
    return or_nan([=] { return bm::gamma_p_inv(shape, p, plain()); });
}

double iv_boost_gamma_q_inv(double shape, double q)
{
    return or_nan([=] { return bm::gamma_q_inv(shape, q, plain()); });
}

double iv_boost_erfc(double x)
{
    return or_nan([=] { return bm::erfc(x, plain()); });
}

double iv_boost_erfc_inv(double p)
{
    return or_nan([=] { return bm::erfc_inv(p, plain()); });
}

double iv_boost_lgamma(double x)
{
    return or_nan([=] { return bm::lgamma(x, plain()); });
}

double iv_boost_digamma(double x)
{
    return or_nan([=] { return bm::digamma(x, plain()); });
}

double iv_boost_t_cdf(double t, double df)
{
    return or_nan([=] {
        return bm::cdf(bm::students_t_distribution<double, plain>(df), t);
    });
}

double iv_boost_t_quantile(double p, double df)
{
    return or_nan([=] {
        return bm::quantile(bm::students_t_distribution<double, plain>(df), p);
    });
}

/* Boost bisects by itself, but compares errors and tolerances of different
 * scales when it does; so one panel at a time, and we choose which. */
iv_panel iv_boost_kronrod(iv_function f, void *user, double from, double to)
{
    iv_panel panel = { nan_value, nan_value, nan_value };
    try {
        using rule = bm::quadrature::gauss_kronrod<double, 21, plain>;
        double error = 0.0, size = 0.0;
        panel.value = rule::integrate([=](double x) { return f(x, user); },
                                      from, to, 0, 0.5, &error, &size);
        /* It is the difference of two rules on [-1, 1], which at a kink are
         * about equally wrong: hence the factor 4. */
        panel.error = 4.0 * error * 0.5 * (to - from);
        panel.size = size;
    } catch (...) {
        panel.value = nan_value;
    }
    return panel;
}

bool iv_boost_tanh_sinh(iv_integral *out, iv_function f, void *user,
                        double from, double to, double tolerance)
{
    try {
        /* Its tables grow on first use, under Boost's own lock. */
        static bm::quadrature::tanh_sinh<double, plain> rule;
        size_t calls = 0;
        const auto counted = [&calls, f, user](double x) {
            calls++;
            return f(x, user);
        };
        double error = 0.0, size = 0.0;
        const double value =
            rule.integrate(counted, from, to, tolerance, &error, &size);
        *out = { value, error, calls };
        return std::isfinite(value) && error <= tolerance * size;
    } catch (...) {
        return false;
    }
}

bool iv_boost_root(double *root, iv_function f, void *user, double from,
                   double to, double f_from, double f_to)
{
    try {
        boost::uintmax_t steps = 300;
        bool finite = true;
        const auto checked = [&finite, f, user](double x) {
            const double y = f(x, user);
            if (!std::isnan(y))
                return y;
            finite = false;
            return 0.0; /* ends the search */
        };
        const auto ends = bm::tools::toms748_solve(
            checked, from, to, f_from, f_to, bm::tools::eps_tolerance<double>(53),
            steps, plain());
        *root = 0.5 * ends.first + 0.5 * ends.second;
        return finite && steps < 300;
    } catch (...) {
        return false;
    }
}

bool iv_boost_minimum(double *at, double *value, iv_function f, void *user)
{
    try {
        boost::uintmax_t steps = 500;
        const auto found = bm::tools::brent_find_minima(
            [=](double x) { return f(x, user); }, 0.0, 1.0, 26, steps);
        *at = found.first;
        *value = found.second;
        return !std::isnan(found.second);
    } catch (...) {
        return false;
    }
}

struct iv_fft {
    explicit iv_fft(size_t length)
        : plan(length, false), first(length), second(length)
    {
    }
    kissfft<double> plan;
    std::vector<std::complex<double>> first, second;
};

iv_fft *iv_fft_new(size_t length)
{
    try {
        return new iv_fft(length);
    } catch (...) {
        return nullptr;
    }
}

void iv_fft_free(iv_fft *t)
{
    delete t;
}

/*
 * One transform of z = a + i b gives both: with Z' the conjugate of Z at the
 * mirrored frequency, A B = (Z^2 - Z'^2)/(4i).  The way back is the forward
 * transform of the conjugate.
 */
void iv_fft_convolve(iv_fft *t, double *out, size_t count, const double *a,
                     size_t na, const double *b, size_t nb)
{
    const size_t n = t->first.size();
    for (size_t i = 0; i < n; i++)
        t->first[i] = { i < na ? a[i] : 0.0, i < nb ? b[i] : 0.0 };
    t->plan.transform(t->first.data(), t->second.data());
    for (size_t i = 0; i < n; i++) {
        const std::complex<double> z = t->second[i];
        const std::complex<double> w = t->second[i == 0 ? 0 : n - i];
        /* (z^2 - conj(w)^2)/(4i), conjugated, by hand: operator* would check
         * for NaNs at every step. */
        const double re = (z.real() - w.real()) * (z.real() + w.real())
                          - (z.imag() - w.imag()) * (z.imag() + w.imag());
        const double im =
            2.0 * (z.real() * z.imag() + w.real() * w.imag());
        t->first[i] = { 0.25 * im, 0.25 * re };
    }
    t->plan.transform(t->first.data(), t->second.data());
    for (size_t i = 0; i < count; i++)
        out[i] = t->second[i].real() / static_cast<double>(n);
}
