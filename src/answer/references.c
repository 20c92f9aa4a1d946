/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/references_private.h"

#include <string.h>


static const iv_reference papers[] = {
    { "angelopoulos2023prediction", "Angelopoulos et al. 2023",
      "Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. and Zrnic, T. (2023). "
      "Prediction-powered inference. Science 382, 669-674.",
      "@article{angelopoulos2023prediction,\n"
      "  author = {Angelopoulos, Anastasios N. and Bates, Stephen and Fannjiang, Clara and\n"
      "            Jordan, Michael I. and Zrnic, Tijana},\n"
      "  title = {Prediction-Powered Inference},\n"
      "  journal = {Science}, volume = {382}, pages = {669--674}, year = {2023}\n}" },
    { "aslam2008practical", "Aslam & Pavlu 2008",
      "Aslam, J. A. and Pavlu, V. (2008). A practical sampling strategy for efficient "
      "retrieval evaluation. Technical report, Northeastern University.",
      "@techreport{aslam2008practical,\n  author = {Javed A. Aslam and Virgil Pavlu},\n"
      "  title = {A practical sampling strategy for efficient retrieval evaluation},\n"
      "  institution = {Northeastern University},\n  year = {2008}\n}" },
    { "bell2002bias", "Bell & McCaffrey 2002",
      "R. M. Bell and D. F. McCaffrey (2002). Bias reduction in standard errors for linear "
      "regression with multi-stage samples. Survey Methodology 28(2), 169-181.",
      "@article{bell2002bias,\n  author = {Bell, Robert M. and McCaffrey, Daniel F.},\n"
      "  title = {Bias Reduction in Standard Errors for Linear Regression with Multi-Stage "
      "Samples},\n  journal = {Survey Methodology}, volume = {28}, number = {2},\n"
      "  pages = {169--181}, year = {2002}\n}" },
    { "bodoff2007test", "Bodoff & Li 2007",
      "D. Bodoff and P. Li (2007). Test theory for assessing IR test collections. SIGIR, 367-374.",
      "@inproceedings{bodoff2007test,\n  author = {Bodoff, David and Li, Pu},\n"
      "  title = {Test Theory for Assessing {IR} Test Collections},\n"
      "  booktitle = {SIGIR}, pages = {367--374}, year = {2007}\n}" },
    { "boyd2013area", "Boyd et al. 2013",
      "Boyd, K., Eng, K. H. and Page, C. D. (2013). Area under the precision-recall curve: point "
      "estimates and confidence intervals. ECML PKDD, 451-466.",
      "@inproceedings{boyd2013area,\n  author = {Boyd, Kendrick and Eng, Kevin H. and Page, C. David},\n"
      "  title = {Area Under the Precision-Recall Curve: Point Estimates and Confidence Intervals},\n"
      "  booktitle = {ECML PKDD}, pages = {451--466}, year = {2013}\n}" },
    { "breuer2020measure", "Breuer et al. 2020",
      "T. Breuer, N. Ferro, N. Fuhr, M. Maistro, T. Sakai, P. Schaer and I. Soboroff (2020). How "
      "to measure the reproducibility of system-oriented IR experiments. SIGIR, 349-358.",
      "@inproceedings{breuer2020measure,\n"
      "  author = {Breuer, Timo and Ferro, Nicola and Fuhr, Norbert and Maistro, Maria and\n"
      "            Sakai, Tetsuya and Schaer, Philipp and Soboroff, Ian},\n"
      "  title = {How to Measure the Reproducibility of System-Oriented {IR} Experiments},\n"
      "  booktitle = {SIGIR}, pages = {349--358}, year = {2020}\n}" },
    { "buckley2004retrieval", "Buckley & Voorhees 2004",
      "C. Buckley and E. M. Voorhees (2004). Retrieval evaluation with incomplete "
      "information. SIGIR, 25-32.",
      "@inproceedings{buckley2004retrieval,\n"
      "  author = {Buckley, Chris and Voorhees, Ellen M.},\n"
      "  title = {Retrieval Evaluation with Incomplete Information},\n"
      "  booktitle = {SIGIR}, pages = {25--32}, year = {2004}\n}" },
    { "carterette2006minimal", "Carterette et al. 2006",
      "Carterette, B., Allan, J. and Sitaraman, R. (2006). Minimal test collections for "
      "retrieval evaluation. SIGIR, 268-275.",
      "@inproceedings{carterette2006minimal,\n"
      "  author = {Carterette, Ben and Allan, James and Sitaraman, Ramesh},\n"
      "  title = {Minimal Test Collections for Retrieval Evaluation},\n"
      "  booktitle = {Proceedings of SIGIR}, pages = {268--275}, year = {2006}\n}" },
    { "carterette2007hypothesis", "Carterette & Smucker 2007",
      "Carterette, B. and Smucker, M. D. (2007). Hypothesis testing with incomplete relevance "
      "judgments. CIKM, 643-652.",
      "@inproceedings{carterette2007hypothesis,\n"
      "  author = {Carterette, Ben and Smucker, Mark D.},\n"
      "  title = {Hypothesis Testing with Incomplete Relevance Judgments},\n"
      "  booktitle = {Proceedings of CIKM}, pages = {643--652}, year = {2007}\n}" },
    { "carterette2007robust", "Carterette 2007",
      "Carterette, B. (2007). Robust test collections for retrieval evaluation. SIGIR, 55-62.",
      "@inproceedings{carterette2007robust,\n"
      "  author = {Carterette, Ben},\n"
      "  title = {Robust Test Collections for Retrieval Evaluation},\n"
      "  booktitle = {Proceedings of SIGIR}, pages = {55--62}, year = {2007}\n}" },
    { "carterette2012multiple", "Carterette 2012",
      "Carterette, B. (2012). Multiple testing in statistical analysis of systems-based "
      "information retrieval experiments. ACM TOIS 30(1), article 4.",
      "@article{carterette2012multiple,\n  author = {Carterette, Benjamin A.},\n"
      "  title = {Multiple Testing in Statistical Analysis of Systems-Based Information "
      "Retrieval Experiments},\n  journal = {ACM Transactions on Information Systems},\n"
      "  volume = {30}, number = {1}, pages = {4:1--4:34}, year = {2012}\n}" },
    { "chapelle2009expected", "Chapelle et al. 2009",
      "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan (2009). Expected reciprocal rank for "
      "graded relevance. CIKM, 621-630.",
      "@inproceedings{chapelle2009expected,\n"
      "  author = {Chapelle, Olivier and Metzler, Donald and Zhang, Ya and\n"
      "            Grinspan, Pierre},\n"
      "  title = {Expected Reciprocal Rank for Graded Relevance},\n"
      "  booktitle = {CIKM}, pages = {621--630}, year = {2009}\n}" },
    { "cohen1960coefficient", "Cohen 1960",
      "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and "
      "Psychological Measurement 20, 37-46.",
      "@article{cohen1960coefficient,\n  author = {Cohen, Jacob},\n"
      "  title = {A Coefficient of Agreement for Nominal Scales},\n"
      "  journal = {Educational and Psychological Measurement},\n"
      "  volume = {20}, pages = {37--46}, year = {1960}\n}" },
    { "krippendorff2004content", "Krippendorff 2004",
      "K. Krippendorff (2004). Content Analysis: An Introduction to Its Methodology, 2nd ed. Sage.",
      "@book{krippendorff2004content,\n  author = {Krippendorff, Klaus},\n"
      "  title = {Content Analysis: An Introduction to Its Methodology},\n"
      "  publisher = {Sage}, edition = {2}, year = {2004}\n}" },
    { "agresti1998approximate", "Agresti & Coull 1998",
      "A. Agresti and B. A. Coull (1998). Approximate is better than exact for interval "
      "estimation of binomial proportions. The American Statistician 52(2), 119-126.",
      "@article{agresti1998approximate,\n  author = {Agresti, Alan and Coull, Brent A.},\n"
      "  title = {Approximate Is Better than Exact for Interval Estimation of Binomial "
      "Proportions},\n  journal = {The American Statistician},\n"
      "  volume = {52}, number = {2}, pages = {119--126}, year = {1998}\n}" },
    { "buehler1957product", "Buehler 1957",
      "R. J. Buehler (1957). Confidence intervals for the product of two binomial parameters. "
      "Journal of the American Statistical Association 52, 482-493.",
      "@article{buehler1957product,\n  author = {Buehler, Robert J.},\n"
      "  title = {Confidence Intervals for the Product of Two Binomial Parameters},\n"
      "  journal = {Journal of the American Statistical Association},\n"
      "  volume = {52}, pages = {482--493}, year = {1957}\n}" },
    { "callaghan2020stopping", "Callaghan & Mueller-Hansen 2020",
      "M. W. Callaghan and F. Mueller-Hansen (2020). Statistical stopping criteria for automated "
      "screening in systematic reviews. Systematic Reviews 9, 273.",
      "@article{callaghan2020stopping,\n"
      "  author = {Callaghan, Max W. and M{\\\"u}ller-Hansen, Finn},\n"
      "  title = {Statistical Stopping Criteria for Automated Screening in Systematic Reviews},\n"
      "  journal = {Systematic Reviews}, volume = {9}, pages = {273}, year = {2020}\n}" },
    { "intervale2026prior", "intervale 2026",
      "The intervale authors (2026). A half prior shared by sampling weight. Technical note "
      "doc/methods/recall-prior.md of intervale 0.3.",
      "@misc{intervale2026prior,\n  author = {{The intervale authors}},\n"
      "  title = {A Half Prior Shared by Sampling Weight},\n"
      "  howpublished = {Technical note doc/methods/recall-prior.md of intervale 0.3},\n"
      "  year = {2026}\n}" },
    { "lewis2021certifying", "Lewis, Yang & Frieder 2021",
      "D. D. Lewis, E. Yang and O. Frieder (2021). Certifying one-phase technology-assisted "
      "reviews. CIKM, 893-902.",
      "@inproceedings{lewis2021certifying,\n"
      "  author = {Lewis, David D. and Yang, Eugene and Frieder, Ophir},\n"
      "  title = {Certifying One-Phase Technology-Assisted Reviews},\n"
      "  booktitle = {CIKM}, pages = {893--902}, year = {2021}\n}" },
    { "serfling1974probability", "Serfling 1974",
      "R. J. Serfling (1974). Probability inequalities for the sum in sampling without "
      "replacement. Annals of Statistics 2(1), 39-48.",
      "@article{serfling1974probability,\n  author = {Serfling, Robert J.},\n"
      "  title = {Probability Inequalities for the Sum in Sampling without Replacement},\n"
      "  journal = {Annals of Statistics},\n"
      "  volume = {2}, number = {1}, pages = {39--48}, year = {1974}\n}" },
    { "waudbysmith2020without", "Waudby-Smith & Ramdas 2020",
      "I. Waudby-Smith and A. Ramdas (2020). Confidence sequences for sampling without "
      "replacement. NeurIPS 33, 20204-20214.",
      "@inproceedings{waudbysmith2020without,\n"
      "  author = {Waudby-Smith, Ian and Ramdas, Aaditya},\n"
      "  title = {Confidence Sequences for Sampling Without Replacement},\n"
      "  booktitle = {NeurIPS}, volume = {33}, pages = {20204--20214}, year = {2020}\n}" },
    { "clopper1934use", "Clopper & Pearson 1934",
      "Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits "
      "illustrated in the case of the binomial. Biometrika 26(4), 404-413.",
      "@article{clopper1934use,\n  author = {Clopper, C. J. and Pearson, E. S.},\n"
      "  title = {The Use of Confidence or Fiducial Limits Illustrated in the Case of the "
      "Binomial},\n  journal = {Biometrika},\n  volume = {26}, number = {4}, "
      "pages = {404--413}, year = {1934}\n}" },
    { "corsi2024treatment", "Corsi & Urbano 2024",
      "Corsi, M. and Urbano, J. (2024). The treatment of ties in rank-biased overlap. SIGIR, "
      "251-260.",
      "@inproceedings{corsi2024treatment,\n  author = {Corsi, Matteo and Urbano, Juli{\\'a}n},\n"
      "  title = {The Treatment of Ties in Rank-Biased Overlap},\n"
      "  booktitle = {SIGIR}, pages = {251--260}, year = {2024}\n}" },
    { "delong1988comparing", "DeLong et al. 1988",
      "DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under "
      "two or more correlated receiver operating characteristic curves. Biometrics 44, 837-845.",
      "@article{delong1988comparing,\n"
      "  author = {DeLong, Elizabeth R. and DeLong, David M. and Clarke-Pearson, Daniel L.},\n"
      "  title = {Comparing the Areas under Two or More Correlated Receiver Operating\n"
      "           Characteristic Curves},\n"
      "  journal = {Biometrics}, volume = {44}, pages = {837--845}, year = {1988}\n}" },
    { "dyer1993choice", "Dyer & Pierce 1993",
      "D. Dyer and R. L. Pierce (1993). On the choice of the prior distribution in "
      "hypergeometric sampling. Communications in Statistics: Theory and Methods 22(8), "
      "2125-2146.",
      "@article{dyer1993choice,\n  author = {Dyer, D. and Pierce, R. L.},\n"
      "  title = {On the Choice of the Prior Distribution in Hypergeometric Sampling},\n"
      "  journal = {Communications in Statistics: Theory and Methods},\n"
      "  volume = {22}, number = {8}, pages = {2125--2146}, year = {1993}\n}" },
    { "efron1987better", "Efron 1987",
      "Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American "
      "Statistical Association 82, 171-185.",
      "@article{efron1987better,\n  author = {Bradley Efron},\n"
      "  title = {Better bootstrap confidence intervals},\n"
      "  journal = {Journal of the American Statistical Association},\n  volume = {82},\n"
      "  number = {397},\n  pages = {171--185},\n  year = {1987}\n}" },
    { "goutte2005probabilistic", "Goutte & Gaussier 2005",
      "C. Goutte and E. Gaussier (2005). A probabilistic interpretation of precision, recall "
      "and F-score, with implication for evaluation. ECIR, 345-359.",
      "@inproceedings{goutte2005probabilistic,\n"
      "  author = {Goutte, Cyril and Gaussier, Eric},\n"
      "  title = {A Probabilistic Interpretation of Precision, Recall and {F}-Score,\n"
      "           with Implication for Evaluation},\n"
      "  booktitle = {Advances in Information Retrieval ({ECIR})},\n"
      "  series = {LNCS}, volume = {3408}, pages = {345--359}, year = {2005},\n"
      "  doi = {10.1007/978-3-540-31865-1_25}\n}" },
    { "harrell1996multivariable", "Harrell et al. 1996",
      "Harrell, F. E., Lee, K. L. and Mark, D. B. (1996). Multivariable prognostic models. "
      "Statistics in Medicine 15, 361-387.",
      "@article{harrell1996multivariable,\n"
      "  author = {Harrell, Frank E. and Lee, Kerry L. and Mark, Daniel B.},\n"
      "  title = {Multivariable Prognostic Models},\n"
      "  journal = {Statistics in Medicine}, volume = {15}, pages = {361--387}, year = {1996}\n}" },
    { "jarvelin2002cumulated", "Jarvelin & Kekalainen 2002",
      "K. Jarvelin and J. Kekalainen (2002). Cumulated gain-based evaluation of IR "
      "techniques. ACM Transactions on Information Systems 20(4), 422-446.",
      "@article{jarvelin2002cumulated,\n"
      "  author = {J{\\\"a}rvelin, Kalervo and Kek{\\\"a}l{\\\"a}inen, Jaana},\n"
      "  title = {Cumulated Gain-Based Evaluation of {IR} Techniques},\n"
      "  journal = {ACM Transactions on Information Systems},\n"
      "  volume = {20}, number = {4}, pages = {422--446}, year = {2002}\n}" },
    { "koopman1984ratio", "Koopman 1984",
      "P. A. R. Koopman (1984). Confidence intervals for the ratio of two binomial "
      "proportions. Biometrics 40(2), 513-517.",
      "@article{koopman1984ratio,\n  author = {Koopman, P. A. R.},\n"
      "  title = {Confidence Intervals for the Ratio of Two Binomial Proportions},\n"
      "  journal = {Biometrics}, volume = {40}, number = {2},\n"
      "  pages = {513--517}, year = {1984}\n}" },
    { "korn1998confidence", "Korn & Graubard 1998",
      "Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions with small "
      "expected number of positive counts estimated from survey data. Survey Methodology 24(2), "
      "193-201.",
      "@article{korn1998confidence,\n  author = {Korn, Edward L. and Graubard, Barry I.},\n"
      "  title = {Confidence Intervals for Proportions with Small Expected Number of Positive Counts\n"
      "           Estimated from Survey Data},\n"
      "  journal = {Survey Methodology}, volume = {24}, number = {2}, pages = {193--201},\n"
      "  year = {1998}\n}" },
    { "lan1983discrete", "Lan & DeMets 1983",
      "K. K. G. Lan and D. L. DeMets (1983). Discrete sequential boundaries for clinical trials. "
      "Biometrika 70(3), 659-663.",
      "@article{lan1983discrete,\n  author = {Lan, K. K. Gordon and DeMets, David L.},\n"
      "  title = {Discrete Sequential Boundaries for Clinical Trials},\n"
      "  journal = {Biometrika},\n"
      "  volume = {70}, number = {3}, pages = {659--663}, year = {1983}\n}" },
    { "lehtonen2003effect", "Lehtonen et al. 2003",
      "Lehtonen, R., Sarndal, C.-E. and Veijanen, A. (2003). The effect of model choice in "
      "estimation for domains, including small domains. Survey Methodology 29(1), 33-44.",
      "@article{lehtonen2003effect,\n"
      "  author = {Lehtonen, Risto and S{\\\"a}rndal, Carl-Erik and Veijanen, Ari},\n"
      "  title = {The Effect of Model Choice in Estimation for Domains, Including Small Domains},\n"
      "  journal = {Survey Methodology}, volume = {29}, number = {1}, pages = {33--44}, year = "
      "{2003}\n}" },
    { "mcnemar1947note", "McNemar 1947",
      "Q. McNemar (1947). Note on the sampling error of the difference between correlated "
      "proportions or percentages. Psychometrika 12, 153-157.",
      "@article{mcnemar1947note,\n  author = {McNemar, Quinn},\n"
      "  title = {Note on the Sampling Error of the Difference between Correlated\n"
      "           Proportions or Percentages},\n"
      "  journal = {Psychometrika}, volume = {12}, pages = {153--157}, year = {1947},\n"
      "  doi = {10.1007/BF02295996}\n}" },
    { "mcsherry2008computing", "McSherry & Najork 2008",
      "McSherry, F. and Najork, M. (2008). Computing information retrieval performance "
      "measures efficiently in the presence of tied scores. ECIR 2008, 414-421.",
      "@inproceedings{mcsherry2008computing,\n  author = {Frank McSherry and Marc Najork},\n"
      "  title = {Computing information retrieval performance measures efficiently in the "
      "presence of tied scores},\n  booktitle = {Advances in Information Retrieval (ECIR)},\n"
      "  pages = {414--421},\n  year = {2008}\n}" },
    { "miller1974jackknife", "Miller 1974",
      "Miller, R. G. (1974). The jackknife - a review. Biometrika 61(1), 1-15.",
      "@article{miller1974jackknife,\n  author = {Miller, Rupert G.},\n"
      "  title = {The Jackknife -- A Review},\n"
      "  journal = {Biometrika}, volume = {61}, number = {1}, pages = {1--15}, year = {1974}\n}" },
    { "miller2024adding", "Miller 2024",
      "E. Miller (2024). Adding error bars to evals: a statistical approach to language model "
      "evaluations. arXiv 2411.00640.",
      "@misc{miller2024adding,\n  author = {Miller, Evan},\n"
      "  title = {Adding Error Bars to Evals: A Statistical Approach to Language Model "
      "Evaluations},\n  year = {2024}, eprint = {2411.00640}, archiveprefix = {arXiv}\n}" },
    { "moffat2008rank", "Moffat & Zobel 2008",
      "A. Moffat and J. Zobel (2008). Rank-biased precision for measurement of retrieval "
      "effectiveness. ACM Transactions on Information Systems 27(1), article 2.",
      "@article{moffat2008rank,\n  author = {Moffat, Alistair and Zobel, Justin},\n"
      "  title = {Rank-Biased Precision for Measurement of Retrieval Effectiveness},\n"
      "  journal = {ACM Transactions on Information Systems},\n"
      "  volume = {27}, number = {1}, pages = {2:1--2:27}, year = {2008}\n}" },
    { "neyman1938contribution", "Neyman 1938",
      "Neyman, J. (1938). Contribution to the theory of sampling human populations. Journal of "
      "the American Statistical Association 33, 101-116.",
      "@article{neyman1938contribution,\n  author = {Neyman, Jerzy},\n"
      "  title = {Contribution to the Theory of Sampling Human Populations},\n"
      "  journal = {Journal of the American Statistical Association},\n"
      "  volume = {33}, pages = {101--116}, year = {1938}\n}" },
    { "naeini2015obtaining", "Naeini et al. 2015",
      "Naeini, M. P., Cooper, G. F. and Hauskrecht, M. (2015). Obtaining well calibrated "
      "probabilities using Bayesian binning. AAAI, 2901-2907.",
      "@inproceedings{naeini2015obtaining,\n"
      "  author = {Naeini, Mahdi Pakdaman and Cooper, Gregory F. and Hauskrecht, Milos},\n"
      "  title = {Obtaining Well Calibrated Probabilities Using {Bayesian} Binning},\n"
      "  booktitle = {AAAI}, pages = {2901--2907}, year = {2015}\n}" },
    { "newcombe2006confidence", "Newcombe 2006",
      "Newcombe, R. G. (2006). Confidence intervals for an effect size measure based on the "
      "Mann-Whitney statistic, part 2. Statistics in Medicine 25, 559-573.",
      "@article{newcombe2006confidence,\n  author = {Newcombe, Robert G.},\n"
      "  title = {Confidence Intervals for an Effect Size Measure Based on the\n"
      "           {Mann-Whitney} Statistic. Part 2},\n"
      "  journal = {Statistics in Medicine}, volume = {25}, pages = {559--573}, year = {2006}\n}" },
    { "noma2021confidence", "Noma et al. 2021",
      "Noma, H., Shinozaki, T., Iba, K., Teramukai, S. and Furukawa, T. A. (2021). Confidence "
      "intervals of prediction accuracy measures for multivariable prediction models based on the "
      "bootstrap-based optimism correction methods. Statistics in Medicine 40, 5691-5701.",
      "@article{noma2021confidence,\n"
      "  author = {Noma, Hisashi and Shinozaki, Tomohiro and Iba, Katsuhiro and\n"
      "            Teramukai, Satoshi and Furukawa, Toshi A.},\n"
      "  title = {Confidence Intervals of Prediction Accuracy Measures for Multivariable Prediction\n"
      "           Models Based on the Bootstrap-Based Optimism Correction Methods},\n"
      "  journal = {Statistics in Medicine}, volume = {40}, pages = {5691--5701}, year = {2021}\n}" },
    { "park2011bootstrap", "Park 2011",
      "Park, L. A. F. (2011). Bootstrap confidence intervals for mean average precision. "
      "Proceedings of the Fourth Annual ASEARC Conference, University of Western Sydney.",
      "@inproceedings{park2011bootstrap,\n  author = {Laurence A. F. Park},\n"
      "  title = {Bootstrap confidence intervals for mean average precision},\n"
      "  booktitle = {Proceedings of the Fourth Annual ASEARC Conference},\n"
      "  address = {University of Western Sydney},\n  year = {2011}\n}" },
    { "smucker2007comparison", "Smucker et al. 2007",
      "Smucker, M. D., Allan, J. and Carterette, B. (2007). A comparison of statistical "
      "significance tests for information retrieval evaluation. CIKM, 623-632.",
      "@inproceedings{smucker2007comparison,\n"
      "  author = {Smucker, Mark D. and Allan, James and Carterette, Ben},\n"
      "  title = {A Comparison of Statistical Significance Tests for Information Retrieval "
      "Evaluation},\n  booktitle = {Proceedings of CIKM}, pages = {623--632}, year = {2007}\n}" },
    { "stevens1958sampling", "Stevens 1958",
      "Stevens, W. L. (1958). Sampling without replacement with probability proportional to "
      "size. Journal of the Royal Statistical Society B 20, 393-397.",
      "@article{stevens1958sampling,\n  author = {W. L. Stevens},\n"
      "  title = {Sampling without replacement with probability proportional to size},\n"
      "  journal = {Journal of the Royal Statistical Society, Series B},\n  volume = {20},\n"
      "  number = {2},\n  pages = {393--397},\n  year = {1958}\n}" },
    { "stiratelli1984random", "Stiratelli et al. 1984",
      "Stiratelli, R., Laird, N. and Ware, J. H. (1984). Random-effects models for serial "
      "observations with binary response. Biometrics 40(4), 961-971.",
      "@article{stiratelli1984random,\n"
      "  author = {Stiratelli, Robert and Laird, Nan and Ware, James H.},\n"
      "  title = {Random-Effects Models for Serial Observations with Binary Response},\n"
      "  journal = {Biometrics}, volume = {40}, number = {4}, pages = {961--971}, year = {1984}\n}" },
    { "tague1994statistical", "Tague-Sutcliffe & Blustein 1994",
      "J. Tague-Sutcliffe and J. Blustein (1994). A statistical analysis of the TREC-3 data. "
      "TREC-3, 385-398.",
      "@inproceedings{tague1994statistical,\n"
      "  author = {Tague-Sutcliffe, Jean and Blustein, James},\n"
      "  title = {A Statistical Analysis of the {TREC}-3 Data},\n"
      "  booktitle = {Overview of the Third Text REtrieval Conference ({TREC}-3)},\n"
      "  pages = {385--398}, year = {1994}\n}" },
    { "tenenbein1970double", "Tenenbein 1970",
      "Tenenbein, A. (1970). A double sampling scheme for estimating from binomial data with "
      "misclassifications. Journal of the American Statistical Association 65, 1350-1361.",
      "@article{tenenbein1970double,\n  author = {Tenenbein, Aaron},\n"
      "  title = {A Double Sampling Scheme for Estimating from Binomial Data with\n"
      "           Misclassifications},\n"
      "  journal = {Journal of the American Statistical Association},\n"
      "  volume = {65}, pages = {1350--1361}, year = {1970}\n}" },
    { "urbano2017treatment", "Urbano & Marrero 2017",
      "J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR, "
      "321-324.",
      "@inproceedings{urbano2017treatment,\n"
      "  author = {Urbano, Juli{\\'a}n and Marrero, M{\\'o}nica},\n"
      "  title = {The Treatment of Ties in {AP} Correlation},\n"
      "  booktitle = {ICTIR}, pages = {321--324}, year = {2017}\n}" },
    { "urbano2019statistical", "Urbano et al. 2019",
      "J. Urbano, H. Lima and A. Hanjalic (2019). Statistical significance testing in "
      "information retrieval: an empirical analysis of type I, type II and type III errors. "
      "SIGIR, 505-514.",
      "@inproceedings{urbano2019statistical,\n"
      "  author = {Urbano, Juli{\\'a}n and Lima, Harlley and Hanjalic, Alan},\n"
      "  title = {Statistical Significance Testing in Information Retrieval: An Empirical\n"
      "           Analysis of Type {I}, Type {II} and Type {III} Errors},\n"
      "  booktitle = {SIGIR}, pages = {505--514}, year = {2019}\n}" },
    { "webber2010similarity", "Webber et al. 2010",
      "Webber, W., Moffat, A. and Zobel, J. (2010). A similarity measure for indefinite "
      "rankings. ACM Transactions on Information Systems 28(4), article 20.",
      "@article{webber2010similarity,\n"
      "  author = {Webber, William and Moffat, Alistair and Zobel, Justin},\n"
      "  title = {A Similarity Measure for Indefinite Rankings},\n"
      "  journal = {ACM Transactions on Information Systems},\n"
      "  volume = {28}, number = {4}, pages = {20:1--20:38}, year = {2010}\n}" },
    { "webber2013recall", "Webber 2013",
      "W. Webber (2013). Approximate recall confidence intervals. ACM Transactions on "
      "Information Systems 31(1), article 2.",
      "@article{webber2013recall,\n  author = {Webber, William},\n"
      "  title = {Approximate Recall Confidence Intervals},\n"
      "  journal = {ACM Transactions on Information Systems},\n"
      "  volume = {31}, number = {1}, pages = {2:1--2:33}, year = {2013}\n}" },
    { "wilson1927probable", "Wilson 1927",
      "E. B. Wilson (1927). Probable inference, the law of succession, and statistical "
      "inference. Journal of the American Statistical Association 22, 209-212.",
      "@article{wilson1927probable,\n  author = {Wilson, Edwin B.},\n"
      "  title = {Probable Inference, the Law of Succession, and Statistical Inference},\n"
      "  journal = {Journal of the American Statistical Association},\n"
      "  volume = {22}, pages = {209--212}, year = {1927},\n"
      "  doi = {10.1080/01621459.1927.10502953}\n}" },
    { "yilmaz2006estimating", "Yilmaz & Aslam 2006",
      "E. Yilmaz and J. A. Aslam (2006). Estimating average precision with incomplete and "
      "imperfect judgments. CIKM, 102-111.",
      "@inproceedings{yilmaz2006estimating,\n  author = {Yilmaz, Emine and Aslam, Javed A.},\n"
      "  title = {Estimating Average Precision with Incomplete and Imperfect Judgments},\n"
      "  booktitle = {CIKM}, pages = {102--111}, year = {2006}\n}" },
    { "yilmaz2008new", "Yilmaz et al. 2008",
      "E. Yilmaz, J. A. Aslam and S. Robertson (2008). A new rank correlation coefficient for "
      "information retrieval. SIGIR, 587-594.",
      "@inproceedings{yilmaz2008new,\n"
      "  author = {Yilmaz, Emine and Aslam, Javed A. and Robertson, Stephen},\n"
      "  title = {A New Rank Correlation Coefficient for Information Retrieval},\n"
      "  booktitle = {SIGIR}, pages = {587--594}, year = {2008}\n}" },
    { "benjamini1995controlling", "Benjamini & Hochberg 1995",
      "Y. Benjamini and Y. Hochberg (1995). Controlling the false discovery rate. Journal of the "
      "Royal Statistical Society B 57, 289-300.",
      "@article{benjamini1995controlling,\n  author = {Benjamini, Yoav and Hochberg, Yosef},\n"
      "  title = {Controlling the False Discovery Rate},\n"
      "  journal = {Journal of the Royal Statistical Society B}, volume = {57},\n"
      "  pages = {289--300}, year = {1995}\n}" },
    { "conover1999practical", "Conover 1999",
      "W. J. Conover (1999). Practical Nonparametric Statistics, 3rd edition. Wiley.",
      "@book{conover1999practical,\n  author = {Conover, W. J.},\n"
      "  title = {Practical Nonparametric Statistics}, edition = {3},\n"
      "  publisher = {Wiley}, year = {1999}\n}" },
    { "hanley1983nothing", "Hanley & Lippman-Hand 1983",
      "J. A. Hanley and A. Lippman-Hand (1983). If nothing goes wrong, is everything all right? JAMA "
      "249, 1743-1745.",
      "@article{hanley1983nothing,\n  author = {Hanley, James A. and Lippman-Hand, Abby},\n"
      "  title = {If Nothing Goes Wrong, Is Everything All Right?},\n"
      "  journal = {JAMA}, volume = {249}, pages = {1743--1745}, year = {1983}\n}" },
    { "hsueh2001unconditional", "Hsueh et al. 2001",
      "H.-M. Hsueh, J.-P. Liu and J. J. Chen (2001). Unconditional exact tests for equivalence or "
      "noninferiority for paired binary endpoints. Biometrics 57, 478-483.",
      "@article{hsueh2001unconditional,\n"
      "  author = {Hsueh, Huey-Miin and Liu, Jen-Pei and Chen, James J.},\n"
      "  title = {Unconditional Exact Tests for Equivalence or Noninferiority for Paired Binary\n"
      "           Endpoints},\n"
      "  journal = {Biometrics}, volume = {57}, pages = {478--483}, year = {2001}\n}" },
    { "schuirmann1987comparison", "Schuirmann 1987",
      "D. J. Schuirmann (1987). A comparison of the two one-sided tests procedure and the power "
      "approach. Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.",
      "@article{schuirmann1987comparison,\n  author = {Schuirmann, Donald J.},\n"
      "  title = {A Comparison of the Two One-Sided Tests Procedure and the Power Approach},\n"
      "  journal = {Journal of Pharmacokinetics and Biopharmaceutics}, volume = {15},\n"
      "  pages = {657--680}, year = {1987}\n}" },
    { "tango1998equivalence", "Tango 1998",
      "T. Tango (1998). Equivalence test and confidence interval for the difference in proportions "
      "for the paired-sample design. Statistics in Medicine 17, 891-908.",
      "@article{tango1998equivalence,\n  author = {Tango, Toshiro},\n"
      "  title = {Equivalence Test and Confidence Interval for the Difference in Proportions for\n"
      "           the Paired-Sample Design},\n"
      "  journal = {Statistics in Medicine}, volume = {17}, pages = {891--908}, year = {1998}\n}" },
    { "wilcoxon1945individual", "Wilcoxon 1945",
      "F. Wilcoxon (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83.",
      "@article{wilcoxon1945individual,\n  author = {Wilcoxon, Frank},\n"
      "  title = {Individual Comparisons by Ranking Methods},\n"
      "  journal = {Biometrics Bulletin}, volume = {1}, pages = {80--83}, year = {1945}\n}" },
    { "cochran1977sampling", "Cochran 1977",
      "Cochran, W. G. (1977). Sampling Techniques, 3rd ed. Wiley.",
      "@book{cochran1977sampling,\n  author = {Cochran, William G.},\n"
      "  title = {Sampling Techniques}, edition = {3},\n"
      "  publisher = {Wiley}, year = {1977}\n}" },
    { "fisher1935design", "Fisher 1935",
      "Fisher, R. A. (1935). The Design of Experiments. Oliver and Boyd.",
      "@book{fisher1935design,\n  author = {Fisher, Ronald A.},\n"
      "  title = {The Design of Experiments},\n"
      "  publisher = {Oliver and Boyd}, year = {1935}\n}" },
    { "fleiss1982jackknifing", "Fleiss & Davies 1982",
      "Fleiss, J. L. and Davies, M. (1982). Jackknifing functions of multinomial frequencies, "
      "with an application to a measure of concordance. American Journal of Epidemiology 115, "
      "841-845.",
      "@article{fleiss1982jackknifing,\n  author = {Fleiss, Joseph L. and Davies, Mark},\n"
      "  title = {Jackknifing Functions of Multinomial Frequencies, with an Application to a\n"
      "           Measure of Concordance},\n"
      "  journal = {American Journal of Epidemiology},\n"
      "  volume = {115}, pages = {841--845}, year = {1982}\n}" },
    { "hall1992removal", "Hall 1992",
      "Hall, P. (1992). On the removal of skewness by transformation. Journal of the Royal "
      "Statistical Society B 54(1), 221-228.",
      "@article{hall1992removal,\n  author = {Hall, Peter},\n"
      "  title = {On the Removal of Skewness by Transformation},\n"
      "  journal = {Journal of the Royal Statistical Society, Series B},\n"
      "  volume = {54}, number = {1}, pages = {221--228}, year = {1992}\n}" },
    { "holm1979simple", "Holm 1979",
      "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian "
      "Journal of Statistics 6(2), 65-70.",
      "@article{holm1979simple,\n  author = {Holm, Sture},\n"
      "  title = {A Simple Sequentially Rejective Multiple Test Procedure},\n"
      "  journal = {Scandinavian Journal of Statistics},\n"
      "  volume = {6}, number = {2}, pages = {65--70}, year = {1979}\n}" },
    { "horvitz1952generalization", "Horvitz & Thompson 1952",
      "Horvitz, D. G. and Thompson, D. J. (1952). A generalization of sampling without "
      "replacement from a finite universe. Journal of the American Statistical Association 47, "
      "663-685.",
      "@article{horvitz1952generalization,\n"
      "  author = {Horvitz, Daniel G. and Thompson, Donovan J.},\n"
      "  title = {A Generalization of Sampling Without Replacement from a Finite Universe},\n"
      "  journal = {Journal of the American Statistical Association},\n"
      "  volume = {47}, pages = {663--685}, year = {1952}\n}" },
    { "sarndal1992model", "Sarndal et al. 1992",
      "Sarndal, C.-E., Swensson, B. and Wretman, J. (1992). Model Assisted Survey Sampling. "
      "Springer.",
      "@book{sarndal1992model,\n"
      "  author = {S{\\\"a}rndal, Carl-Erik and Swensson, Bengt and Wretman, Jan},\n"
      "  title = {Model Assisted Survey Sampling},\n"
      "  publisher = {Springer}, year = {1992}\n}" },
    { "student1908probable", "Student 1908",
      "Student (1908). The probable error of a mean. Biometrika 6(1), 1-25.",
      "@article{student1908probable,\n  author = {Student},\n"
      "  title = {The Probable Error of a Mean},\n  journal = {Biometrika},\n"
      "  volume = {6}, number = {1}, pages = {1--25}, year = {1908}\n}" },
    { "bentkus2004hoeffding", "Bentkus 2004",
      "V. Bentkus (2004). On Hoeffding's inequalities. Annals of Probability 32(2), 1650-1673.",
      "@article{bentkus2004hoeffding,\n  author = {Bentkus, Vidmantas},\n"
      "  title = {On {Hoeffding's} Inequalities},\n  journal = {The Annals of Probability}, "
      "volume = {32}, number = {2},\n  pages = {1650--1673}, year = {2004}\n}" },
    { "dunn1961multiple", "Dunn 1961",
      "O. J. Dunn (1961). Multiple comparisons among means. Journal of the American Statistical "
      "Association 56(293), 52-64.",
      "@article{dunn1961multiple,\n  author = {Dunn, Olive Jean},\n"
      "  title = {Multiple Comparisons Among Means},\n  journal = {Journal of the American "
      "Statistical Association}, volume = {56},\n  number = {293}, pages = {52--64}, year = {1961}\n}" },
    { "strassburger2008compatible", "Strassburger & Bretz 2008",
      "K. Strassburger and F. Bretz (2008). Compatible simultaneous lower confidence bounds for the "
      "Holm procedure and other Bonferroni-based closed tests. Statistics in Medicine 27(24), "
      "4914-4927.",
      "@article{strassburger2008compatible,\n  author = {Strassburger, Klaus and Bretz, Frank},\n"
      "  title = {Compatible Simultaneous Lower Confidence Bounds for the {Holm} Procedure and Other "
      "{Bonferroni}-Based Closed Tests},\n  journal = {Statistics in Medicine}, volume = {27}, "
      "number = {24},\n  pages = {4914--4927}, year = {2008}\n}" },
    { "dean2015evaluating", "Dean & Pagano 2015",
      "N. Dean and M. Pagano (2015). Evaluating confidence interval methods for binomial "
      "proportions in clustered surveys. Journal of Survey Statistics and Methodology 3(4), "
      "484-503.",
      "@article{dean2015evaluating,\n  author = {Dean, Natalie and Pagano, Marcello},\n"
      "  title = {Evaluating Confidence Interval Methods for Binomial Proportions in Clustered "
      "Surveys},\n  journal = {Journal of Survey Statistics and Methodology}, volume = {3},\n"
      "  number = {4}, pages = {484--503}, year = {2015}\n}" },
    { "efron1993introduction", "Efron & Tibshirani 1993",
      "B. Efron and R. J. Tibshirani (1993). An Introduction to the Bootstrap. Chapman & Hall.",
      "@book{efron1993introduction,\n  author = {Efron, Bradley and Tibshirani, Robert J.},\n"
      "  title = {An Introduction to the Bootstrap}, publisher = {Chapman \\& Hall}, "
      "year = {1993}\n}" },
    { "hesterberg2015teachers", "Hesterberg 2015",
      "T. C. Hesterberg (2015). What teachers should know about the bootstrap: resampling in the "
      "undergraduate statistics curriculum. The American Statistician 69(4), 371-386.",
      "@article{hesterberg2015teachers,\n  author = {Hesterberg, Tim C.},\n"
      "  title = {What Teachers Should Know About the Bootstrap: Resampling in the "
      "Undergraduate\n           Statistics Curriculum},\n"
      "  journal = {The American Statistician}, volume = {69}, number = {4},\n"
      "  pages = {371--386}, year = {2015}\n}" },
    { "imbens2016robust", "Imbens & Kolesar 2016",
      "G. W. Imbens and M. Kolesar (2016). Robust standard errors in small samples: some "
      "practical advice. Review of Economics and Statistics 98(4), 701-712.",
      "@article{imbens2016robust,\n  author = {Imbens, Guido W. and Koles{\\'a}r, Michal},\n"
      "  title = {Robust Standard Errors in Small Samples: Some Practical Advice},\n"
      "  journal = {Review of Economics and Statistics}, volume = {98}, number = {4},\n"
      "  pages = {701--712}, year = {2016}\n}" },
};

const iv_reference *iv_reference_find(const char *key)
{
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        if (strcmp(papers[i].key, key) == 0)
            return &papers[i];
    return NULL;
}
